/** GET /dashboard/account/data and …/export.zip: everything of the account, and its end. */
import { exportAccount } from '../../../accounts/export.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import { accountView } from '../../components/account-page.tsx';
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
        <section class="card" aria-labelledby="export-head">
          <h2 id="export-head">Export everything</h2>
          <p class="soft">
            One zip archive with the profile, members, keys without secrets, activity, ledger,
            usage, payments, connected clients, and your sessions, as tables that open in a
            spreadsheet.
          </p>
          <div>
            <a class="button" href="/dashboard/account/export.zip" download>
              Download the archive
            </a>
          </div>
        </section>
        <section class="card" aria-labelledby="delete-head">
          <h2 id="delete-head">Delete the account</h2>
          <p class="soft">
            Keys stop at once, and all members lose access. Charges stay in the service’s books,
            without your name.
          </p>
          <div>
            <a class="button plain" href="/dashboard/account/delete">
              Delete the account
            </a>
          </div>
        </section>
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
