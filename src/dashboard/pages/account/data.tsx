/** GET /dashboard/account/data: the way to the export, and to the end of the account. */
import { accountView } from '../../components/account-page.tsx';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import type { CustomerCall, View } from '../../page/page.ts';

export const DATA_PATH = '/dashboard/account/data';

export function dataPage(_deps: DashboardDeps, _call: CustomerCall): View {
  return accountView({
    section: DATA_PATH,
    intro: 'Take your data with you, or delete the account.',
    children: (
      <div class="split">
        <section class="card" aria-labelledby="delete-head">
          <h2 id="delete-head">Delete the account</h2>
          <p class="soft">
            Keys stop at once, and all members lose access. What was charged stays in the books of
            this service, without your name.
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
