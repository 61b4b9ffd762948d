/** GET and POST /dashboard/account/leave: a member leaves the account. */
import { clearedCookie } from '../../../accounts/cookies.ts';
import { removeMember } from '../../../accounts/members.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import { sentence } from '../../components/error-view.tsx';
import { Form } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import { expectedErrorOf } from '../../page/forms.ts';
import { type CustomerCall, type View, withError } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import { sessionName } from '../../page/recent-questions.ts';

export function leavePage(_deps: DashboardDeps, call: CustomerCall): View {
  return leaveView(call);
}

export async function leaveForm(
  deps: DashboardDeps,
  call: CustomerCall,
): Promise<View | HttpResponse> {
  const { customer, member } = call.session;
  try {
    await removeMember(deps.accounts, { customerId: customer.id, memberId: member.id });
    return leftResponse(deps, call);
  } catch (error) {
    const expectedError = expectedErrorOf(error);
    return withError(leaveView(call, sentence(expectedError.message)), expectedError);
  }
}

/** Leads to the sign-in page, without the cookies of an account that is not theirs any more. */
export function leftResponse(
  { recentQuestions, isSecure }: DashboardDeps,
  call: CustomerCall,
): HttpResponse {
  recentQuestions.forget(sessionName(call));
  return redirectTo('/dashboard/sign-in?done=left', [
    clearedCookie('session', isSecure),
    clearedCookie('browser', isSecure),
  ]);
}

function leaveView(call: CustomerCall, error?: string): View {
  const { email } = call.session.member;
  return {
    title: 'Leave the account',
    isNarrow: true,
    main: (
      <>
        <PageHead title="Leave this account?">
          {email} can no longer sign in. Only an owner can invite you again. Keys and credit belong
          to the account and stay.
        </PageHead>
        {error === undefined ? null : (
          <Notice tone="bad">
            <p>{error}</p>
          </Notice>
        )}
        <div class="card">
          <Form action="/dashboard/account/leave" token={call.formToken()} class="row">
            <button class="button danger" type="submit">
              Leave
            </button>
            <a class="button plain" href="/dashboard/account">
              Stay
            </a>
          </Form>
        </div>
      </>
    ),
  };
}
