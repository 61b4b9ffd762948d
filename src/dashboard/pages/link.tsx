/** GET and POST /dashboard/link: choosing a password by a one-time link. */
import { tokenCookie } from '../../accounts/cookies.ts';
import { readLink, redeemLink } from '../../accounts/links.ts';
import type { VerbatimError } from '../../errors.ts';
import type { HttpAnswer } from '../../http/server.ts';
import { redirectTo } from '../answers.ts';
import { sentence } from '../error-view.tsx';
import { foreseen } from '../foreseen.ts';
import type { PageCall } from '../page.ts';
import { Form } from '../parts/form.tsx';
import { NewPasswordFields } from '../parts/new-password-fields.tsx';
import { Notice } from '../parts/notice.tsx';
import { PageHead } from '../parts/page-head.tsx';
import type { DashboardParts } from '../parts.ts';
import type { View } from '../view.ts';

/** Looking at it does not use the link up: programs that look at mails do, too. */
export function linkPage(parts: DashboardParts, call: PageCall): View {
  const token = call.query.get('token') ?? '';
  try {
    const { email } = readLink(parts.accounts, { token, address: call.address() });
    return linkView(call, { token, email });
  } catch (error) {
    return linkOverView(foreseen(error));
  }
}

export async function linkForm(parts: DashboardParts, call: PageCall): Promise<View | HttpAnswer> {
  const token = call.form.get('token') ?? '';
  const password = call.form.get('new_password') ?? '';
  const opened = { token, address: call.address() };
  let email: string;
  try {
    email = readLink(parts.accounts, opened).email;
  } catch (error) {
    return linkOverView(foreseen(error));
  }
  if (password !== call.form.get('new_password_again')) {
    const wrong = 'the two passwords are not the same';
    return { ...linkView(call, { token, email, wrong }), status: 422 };
  }
  try {
    const replaces = call.cookieToken;
    const signedIn = await redeemLink(parts.accounts, { ...opened, password, replaces });
    const { isSecure } = parts;
    return redirectTo('/dashboard', [tokenCookie(signedIn.token, { ...signedIn, isSecure })]);
  } catch (error) {
    const told = foreseen(error);
    if (told.code === 'link_over') return linkOverView(told);
    return { ...linkView(call, { token, email, wrong: told.message }), status: told.status };
  }
}

interface LinkProps {
  token: string;
  email: string;
  wrong?: string;
}

function linkView(call: PageCall, { token, email, wrong }: LinkProps): View {
  return {
    title: 'Choose a password',
    isNarrow: true,
    main: (
      <>
        <PageHead title="Choose a password">For {email}. Then you are signed in.</PageHead>
        <div class="card">
          <Form action="/dashboard/link" token={call.formToken()}>
            <input type="hidden" name="token" value={token} />
            <NewPasswordFields email={email} wrong={wrong} />
            <button class="button" type="submit">
              Save and sign in
            </button>
          </Form>
        </div>
      </>
    ),
  };
}

function linkOverView({ status, message }: VerbatimError): View {
  return {
    title: 'This link does not work',
    status,
    isNarrow: true,
    main: (
      <>
        <PageHead title="This link does not work" />
        <Notice tone="warn">
          <p>{sentence(message)} A link works once, and a newer one ends those before it.</p>
        </Notice>
        <div class="row">
          <a class="button" href="/dashboard/reset-password">
            Get a new link
          </a>
          <a class="button plain" href="/dashboard/sign-in">
            Sign in
          </a>
        </div>
      </>
    ),
  };
}
