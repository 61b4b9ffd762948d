/** POST /dashboard/sign-out: ends the session; for those whose session has ended, too. */
import { clearedCookie } from '../../accounts/cookies.ts';
import { signOut } from '../../accounts/sign-in.ts';
import type { HttpResponse } from '../../http/messages.ts';
import type { DashboardDeps } from '../page/deps.ts';
import type { PageCall } from '../page/page.ts';
import { redirectTo } from '../page/responses.ts';

export async function signOutForm(deps: DashboardDeps, call: PageCall): Promise<HttpResponse> {
  if (call.cookieToken !== undefined) await signOut(deps.accounts, call.cookieToken);
  return redirectTo('/dashboard/sign-in?done=signed-out', [
    clearedCookie('session', deps.isSecure),
  ]);
}
