/** GET and POST /dashboard/try/references: verifies the references of a text with one of the customer's keys. */
import type { VerbatimError } from '../../errors.ts';
import { badRequest } from '../../http/field-errors.ts';
import {
  parseVerifyFields,
  REFERENCES_CHARACTERS_MAX,
  VERIFY_ITEMS_MAX,
} from '../../http/validate-verify.ts';
import { paidVerify } from '../../http/verify-endpoint.ts';
import { codePoints } from '../../text/code-points.ts';
import { prepareText } from '../../verify/manuscript/marks.ts';
import { type PastedReference, readPasted } from '../../verify/manuscript/read-pasted.ts';
import { formatCount } from '../components/format-values.ts';
import { ReferencesForm } from '../components/references-form.tsx';
import { KeyNeeded, NotCharged, TryHead } from '../components/try-head.tsx';
import { admitOwnKey } from '../page/admit-own-key.ts';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { formHandler, typed } from '../page/forms.ts';
import { keepTried } from '../page/keep-tried.ts';
import { usableKeys } from '../page/key-state.ts';
import type { CustomerCall, View } from '../page/page.ts';
import { tryOnce } from '../page/try-once.ts';

/** After an error, the text is still there. */
export async function tryReferencesPage(
  deps: DashboardDeps,
  call: CustomerCall,
  error?: VerbatimError,
): Promise<View> {
  const keys = await usableKeys(deps, call.session.customer.id);
  return {
    title: 'Try it with references',
    main: (
      <>
        <TryHead path="/dashboard/try/references">
          Paste references to see which of them are real, and what is wrong with them. The price is
          that of the API. A failed check is free.
        </TryHead>
        {error === undefined ? null : <NotCharged status={error.status} message={error.message} />}
        {keys.length === 0 ? (
          <KeyNeeded what="A check" />
        ) : (
          <ReferencesForm
            token={call.formToken()}
            keys={keys}
            entered={enteredIn(call)}
            error={error?.code === 'bad_request' ? error.message : undefined}
          />
        )}
      </>
    ),
  };
}

/**
 * Verifies like POST /v1/verify. The credit stays held. It is charged when the result page was sent,
 * and released if nobody fetches that page.
 */
export const tryReferencesForm = formHandler(tryReferencesPage, (deps, call) => {
  const entered = enteredIn(call);
  return tryOnce(deps, call, entered, () => verifyText(deps, call, entered));
});

function enteredIn(call: CustomerCall): { text: string; prefix: string } {
  return { text: prepareText(call.form.get('text') ?? ''), prefix: typed(call, 'key') };
}

/** Returns the name of the result. */
async function verifyText(
  deps: DashboardDeps,
  call: CustomerCall,
  { text, prefix }: { text: string; prefix: string },
): Promise<string> {
  const startedAt = deps.accounts.now();
  const paid = await admitOwnKey(deps, call, prefix);
  const references = await referencesIn(deps, text);
  const items = references.flatMap((one) =>
    'reference' in one ? { reference: one.reference } : [],
  );
  const request = parseVerifyFields({ items, include: 'assessment' });
  const response = await paidVerify(deps.service, paid, request);
  const what = { text, references };
  return keepTried(deps, call, { paid, asked: { items }, startedAt, response, what });
}

/** Throws `bad_request` if there is nothing to verify, or too much. */
async function referencesIn(deps: DashboardDeps, text: string): Promise<PastedReference[]> {
  if (codePoints(text) > REFERENCES_CHARACTERS_MAX) {
    const most = formatCount(REFERENCES_CHARACTERS_MAX);
    throw badRequest(`expected at most ${most} characters, got ${formatCount(codePoints(text))}`);
  }
  const limits = { ...deps.service.settings, referencesMax: VERIFY_ITEMS_MAX };
  const references = await readPasted(text, limits);
  if (references.length > VERIFY_ITEMS_MAX) {
    throw badRequest(`there are more than ${VERIFY_ITEMS_MAX} references in this text`);
  }
  if (references.some((one) => 'reference' in one)) return references;
  throw badRequest('there are no references in this text that can be read');
}
