/** GET and POST /operator/account/recovery-codes, and the page that shows new ones once. */
import { renewOperatorCodes } from '../../../accounts/operator-account.ts';
import type { VerbatimError } from '../../../errors.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import { CodeField } from '../../components/code-field.tsx';
import { Form } from '../../components/form.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { recoveryCodesGoneView, recoveryCodesView } from '../../components/recovery-codes.tsx';
import { expectedErrorOf } from '../../page/forms.ts';
import { type View, withError } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import { type OperatorCall, presentOf } from '../page/operator-call.ts';
import type { OperatorDeps } from '../page/operator-deps.ts';

export const ACCOUNT = '/operator/account';
const PATH = `${ACCOUNT}/recovery-codes`;

/** Keeps new codes until they are shown. Returns the path of the page that shows them. */
export function shownCodesPath(
  { recoveryCodes }: OperatorDeps,
  operatorId: number,
  codes: readonly string[],
): string {
  return `${PATH}/${recoveryCodes.put(operatorId, codes)}`;
}

/** Shows recovery codes once. */
export function shownCodesPage({ recoveryCodes }: OperatorDeps, call: OperatorCall): View {
  const { operatorId } = presentOf(call);
  // A HEAD request does not use them up.
  const isShown = call.request.method === 'GET';
  const codes = isShown ? recoveryCodes.take(operatorId, call.parameters['name'] ?? '') : undefined;
  return codes === undefined
    ? recoveryCodesGoneView({ newCodesPath: PATH, backPath: ACCOUNT })
    : recoveryCodesView(codes, ACCOUNT);
}

export function newCodesPage(_deps: OperatorDeps, call: OperatorCall): View {
  return newCodesView(call);
}

export async function newCodesForm(
  deps: OperatorDeps,
  call: OperatorCall,
): Promise<View | HttpResponse> {
  const present = presentOf(call);
  try {
    const codes = await renewOperatorCodes(deps.accounts, present, call.form.get('code') ?? '');
    return redirectTo(shownCodesPath(deps, present.operatorId, codes));
  } catch (error) {
    const expectedError = expectedErrorOf(error);
    return withError(newCodesView(call, expectedError), expectedError);
  }
}

function newCodesView(call: OperatorCall, error?: VerbatimError): View {
  return {
    title: 'New recovery codes',
    isNarrow: true,
    main: (
      <>
        <PageHead title="New recovery codes">
          Ten new codes replace all earlier ones, which stop working.
        </PageHead>
        <div class="card">
          <Form action={PATH} token={call.formToken()}>
            <CodeField error={error?.message} />
            <div class="row">
              <button class="button" type="submit">
                Create new codes
              </button>
              <a class="button plain" href={ACCOUNT}>
                Cancel
              </a>
            </div>
          </Form>
        </div>
      </>
    ),
  };
}
