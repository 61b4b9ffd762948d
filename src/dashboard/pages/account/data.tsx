/** GET /dashboard/account/data and …/export.zip: everything of the account, and its end. */
import { exportAccount } from '../../../accounts/export.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import { accountView } from '../../components/account-page.tsx';
import { PlainLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import { download } from '../../page/download.ts';
import type { CustomerCall, View } from '../../page/page.ts';

export const DATA_PATH = '/dashboard/account/data';

export function dataPage(): View {
  return accountView({
    section: DATA_PATH,
    intro: 'Take your data with you, or delete the account.',
    children: (
      <div class="split">
        <Card id="export-head" title="Export everything">
          <p class="soft">
            One zip archive with the profile, members, keys without secrets, requests, ledger,
            usage, payments, connected clients, and your sessions, as tables that open in a
            spreadsheet.
          </p>
          <div>
            <a class="button" href="/dashboard/account/export.zip" download>
              Download the archive
            </a>
          </div>
        </Card>
        <Card id="delete-head" title="Delete the account">
          <p class="soft">
            Keys stop at once, and all members lose access. Charges stay in the service’s books,
            without your name.
          </p>
          <div>
            <PlainLink href="/dashboard/account/delete">Delete the account</PlainLink>
          </div>
        </Card>
      </div>
    ),
  });
}

export function exportPage(deps: DashboardDeps, call: CustomerCall): HttpResponse {
  const day = new Date(deps.accounts.now()).toISOString().slice(0, 10);
  const pieces = exportAccount(deps.accounts, call.session);
  return download(deps, call, {
    name: `verbatim-account-${day}.zip`,
    type: 'application/zip',
    pieces,
  });
}
