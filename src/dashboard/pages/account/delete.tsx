/** GET and POST /dashboard/account/delete: an owner deletes the account. */
import { deleteAccount, readDeletionFacts } from '../../../accounts/delete-account.ts';
import { hasSecondFactor } from '../../../accounts/second-factor.ts';
import { assertDeletable, type DeletionFacts } from '../../../accounts/sql/delete-customer.ts';
import { VerbatimError } from '../../../errors.ts';
import { ButtonLink, PlainLink, Submit } from '../../components/button.tsx';
import { CodeField } from '../../components/code-field.tsx';
import { sentence } from '../../components/error-view.tsx';
import { Form } from '../../components/form.tsx';
import { formatCounted } from '../../components/format-values.ts';
import { Message, Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import { expectedErrorOf, formHandler } from '../../page/forms.ts';
import type { CustomerCall, View } from '../../page/page.ts';
import { redirectSignedOut } from '../../page/page-redirects.ts';
import { typedCodeOf } from '../../page/typed-code.ts';
import { DATA_PATH } from './data.tsx';

const PATH = '/dashboard/account/delete';

export const deleteForm = formHandler(deletePage, async (deps, call) => {
  const { customer, member } = call.session;
  await deleteAccount(deps.accounts, {
    customerId: customer.id,
    memberId: member.id,
    email: member.email,
    password: call.form.get('password') ?? '',
    typed: typedCodeOf(call),
    sessionToken: call.cookieToken,
    creditsForfeited: readForfeited(call.form),
    endCheckouts: () => deps.service.topUp.endCheckouts(customer.id),
  });
  return redirectSignedOut(deps, 'deleted');
});

/** The credit that the box names. Throws `bad_request` if there is some and the box is not ticked. */
function readForfeited(form: URLSearchParams): number {
  const shown = Number(form.get('credits') ?? '');
  if (shown === 0) return 0;
  if (form.get('give_up') === null) {
    const message = 'tick the box to give up the credit, or use it first';
    throw new VerbatimError('bad_request', message);
  }
  return shown;
}

export async function deletePage(
  deps: DashboardDeps,
  call: CustomerCall,
  error?: VerbatimError,
): Promise<View> {
  const { customer, member } = call.session;
  const facts = await readDeletionFacts(deps.accounts, customer.id);
  const needsCode = await hasSecondFactor(deps.accounts, member.email);
  const kept = reasonToKeep(facts);
  return {
    title: 'Delete the account',
    isNarrow: true,
    main: (
      <>
        <PageHead title="Delete this account?">
          You cannot undo this. <a href={DATA_PATH}>Export everything</a> first if you may need it.
        </PageHead>
        <div class="card">
          <ul class="bullets">
            <li>All keys stop at once, and connected clients lose access.</li>
            <li>All members are signed out, and their addresses are deleted.</li>
            <li>Names of keys, sessions, and stored answers are deleted.</li>
            <li>Orders that you have not paid are canceled.</li>
            <li>
              Entries for searches and payments stay in the service’s books, under a number instead
              of your name.
            </li>
          </ul>
        </div>
        {kept === undefined ? (
          <DeleteForm call={call} facts={facts} needsCode={needsCode} error={error} />
        ) : (
          <>
            <Notice tone="warn">
              <p>
                <strong>The account cannot be deleted now:</strong> {kept}
              </p>
            </Notice>
            <div>
              <ButtonLink href={DATA_PATH}>Back to the account</ButtonLink>
            </div>
          </>
        )}
      </>
    ),
  };
}

/** Returns why an account cannot be deleted now, as a sentence. */
function reasonToKeep(facts: DeletionFacts): string | undefined {
  try {
    assertDeletable(facts);
    return undefined;
  } catch (error) {
    return sentence(expectedErrorOf(error).message);
  }
}

interface DeleteFormProps {
  call: CustomerCall;
  facts: DeletionFacts;
  needsCode: boolean;
  error: VerbatimError | undefined;
}

function DeleteForm({ call, facts: { balance }, needsCode, error }: DeleteFormProps) {
  const isAboutPassword = error?.code === 'wrong_sign_in';
  const isAboutCode = error?.code === 'second_factor_needed' || error?.code === 'wrong_code';
  return (
    <div class="card">
      <Form action={PATH} token={call.formToken()}>
        <Message tone="bad" text={isAboutPassword || isAboutCode ? undefined : error?.message} />
        <input type="hidden" name="credits" value={balance} />
        {balance > 0 ? (
          <label class="box">
            <input type="checkbox" name="give_up" value="yes" required />
            <span>I give up the {formatCounted(balance, 'credit')} of this account.</span>
          </label>
        ) : null}
        <PasswordField
          email={call.session.member.email}
          error={isAboutPassword ? 'Your password is incorrect.' : undefined}
        />
        {needsCode ? <CodeField error={isAboutCode ? error?.message : undefined} /> : null}
        <div class="row">
          <Submit look="danger">Delete the account</Submit>
          <PlainLink href={DATA_PATH}>Keep it</PlainLink>
        </div>
      </Form>
    </div>
  );
}
