/** What every call to pages of the operator has, whoever asks. Pure. */
import { formTokenOf } from '../../../accounts/form-token.ts';
import type { AnyCall } from '../../page/page.ts';

/** Returns a call whose forms carry a token that is derived from the cookie's. */
export function openCall(
  input: Pick<AnyCall, 'request' | 'requestId' | 'parameters'>,
  cookieToken: string,
): AnyCall {
  return {
    ...input,
    cookieToken,
    query: new URLSearchParams(input.request.query),
    form: new URLSearchParams(),
    formToken: () => formTokenOf(cookieToken),
  };
}
