/** The code of a form, with what its attempts are counted by. */
import type { TypedCode } from '../../accounts/second-factor.ts';
import type { PageCall } from './page.ts';

export function typedCodeOf(call: PageCall): TypedCode {
  return {
    code: call.form.get('code') ?? '',
    address: call.address(),
    browserToken: call.browserToken,
  };
}
