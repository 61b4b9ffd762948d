/** GET /dashboard/account and its forms: password, warning, sessions. */
import { clearedCookie, tokenCookie } from '../../accounts/cookies.ts';
import { setLowBalance } from '../../accounts/credit.ts';
import { changePassword, signOutEverywhere } from '../../accounts/sign-in.ts';
import type { HttpAnswer } from '../../http/server.ts';
import { redirectTo } from '../answers.ts';
import { sentence } from '../error-view.tsx';
import { foreseen } from '../foreseen.ts';
import type { CustomerCall } from '../page.ts';
import { CREDITS_ADVICE, parseCredits } from '../parse-credits.ts';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Moment } from '../parts/moment.tsx';
import { NewPasswordFields } from '../parts/new-password-fields.tsx';
import { Notice } from '../parts/notice.tsx';
import { PageHead } from '../parts/page-head.tsx';
import type { DashboardParts } from '../parts.ts';
import type { View } from '../view.ts';

const PATH = '/dashboard/account';

const notes: Readonly<Record<string, string>> = {
  password: 'Your password is changed. All other sessions are signed out.',
  'low-balance': 'Saved.',
};

/** What was entered in vain, and why. */
interface Wrong {
  password?: string;
  newPassword?: string;
  lowBalance?: { text: string; why: string };
}

export function accountPage(_parts: DashboardParts, call: CustomerCall): View {
  return accountView(call, {});
}

export async function changePasswordForm(
  parts: DashboardParts,
  call: CustomerCall,
): Promise<View | HttpAnswer> {
  const { id: customerId, email } = call.session.customer;
  const newPassword = call.form.get('new_password') ?? '';
  if (newPassword !== call.form.get('new_password_again')) {
    const why = 'The two passwords are not the same.';
    return { ...accountView(call, { newPassword: why }), status: 422 };
  }
  try {
    const signedIn = await changePassword(parts.accounts, {
      ...{ customerId, email, newPassword, address: call.address() },
      password: call.form.get('password') ?? '',
    });
    const { isSecure } = parts;
    const cookie = tokenCookie(signedIn.token, { ...signedIn, isSecure });
    return redirectTo(`${PATH}?done=password`, [cookie]);
  } catch (error) {
    const { code, status, message } = foreseen(error);
    const why = code === 'wrong_sign_in' ? 'This is not your password.' : sentence(message);
    const wrong = code === 'weak_password' ? { newPassword: why } : { password: why };
    return { ...accountView(call, wrong), status };
  }
}

export async function lowBalanceForm(
  parts: DashboardParts,
  call: CustomerCall,
): Promise<View | HttpAnswer> {
  const text = (call.form.get('low_balance') ?? '').trim();
  const credits = text === '' ? null : parseCredits(text);
  if (credits === undefined) {
    const lowBalance = { text, why: CREDITS_ADVICE };
    return { ...accountView(call, { lowBalance }), status: 422 };
  }
  await setLowBalance(parts.accounts, { customerId: call.session.customer.id, credits });
  return redirectTo(`${PATH}?done=low-balance`);
}

export async function signOutEverywhereForm(
  parts: DashboardParts,
  call: CustomerCall,
): Promise<HttpAnswer> {
  await signOutEverywhere(parts.accounts, call.session.customer.id);
  const cookie = clearedCookie(parts.isSecure);
  return redirectTo('/dashboard/sign-in?done=signed-out-everywhere', [cookie]);
}

function accountView(call: CustomerCall, wrong: Wrong): View {
  const { customer, createdAt } = call.session;
  const note = notes[call.query.get('done') ?? ''];
  const token = call.formToken();
  return {
    title: 'Account',
    main: (
      <>
        <PageHead title="Account">
          {customer.email}, customer since <Moment time={customer.createdAt} isDay />.
        </PageHead>
        {note === undefined ? null : (
          <Notice tone="good">
            <p>{note}</p>
          </Notice>
        )}
        <div class="split">
          <section class="card" aria-labelledby="password-head">
            <h2 id="password-head">Password</h2>
            <Form action={`${PATH}/password`} token={token}>
              <Field
                label="Current password"
                name="password"
                type="password"
                wrong={wrong.password}
                input={{ required: true, autoComplete: 'current-password' }}
              />
              <NewPasswordFields email={customer.email} wrong={wrong.newPassword} />
              <div>
                <button class="button" type="submit">
                  Change password
                </button>
              </div>
            </Form>
          </section>
          <div class="stack">
            <LowBalance token={token} lowBalance={customer.lowBalance} wrong={wrong.lowBalance} />
            <Sessions token={token} startedAt={createdAt} />
          </div>
        </div>
      </>
    ),
  };
}

interface LowBalanceProps {
  token: string;
  lowBalance: number | null;
  wrong: Wrong['lowBalance'];
}

function LowBalance({ token, lowBalance, wrong }: LowBalanceProps) {
  return (
    <section class="card" aria-labelledby="warning-head">
      <h2 id="warning-head">Warning of low credit</h2>
      <Form action={`${PATH}/low-balance`} token={token}>
        <Field
          label="Warn below this many credits"
          name="low_balance"
          value={wrong?.text ?? (lowBalance === null ? '' : String(lowBalance))}
          hint="The dashboard then shows a warning on every page. Empty: no warning."
          wrong={wrong?.why}
          input={{ inputMode: 'numeric', autoComplete: 'off' }}
        />
        <div>
          <button class="button" type="submit">
            Save
          </button>
        </div>
      </Form>
    </section>
  );
}

function Sessions({ token, startedAt }: { token: string; startedAt: number }) {
  return (
    <section class="card" aria-labelledby="sessions-head">
      <h2 id="sessions-head">Sessions</h2>
      <p class="soft">
        Signed in here since <Moment time={startedAt} />. Keys are not touched by signing out.
      </p>
      <div class="row">
        <Form action="/dashboard/sign-out" token={token} class="">
          <button class="button plain" type="submit">
            Sign out here
          </button>
        </Form>
        <Form action={`${PATH}/sign-out-everywhere`} token={token} class="">
          <button class="button plain" type="submit">
            Sign out everywhere
          </button>
        </Form>
      </div>
    </section>
  );
}
