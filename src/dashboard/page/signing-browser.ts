/** The browser of a call, as signing in counts and remembers it. */
import { describeDevice } from '../../accounts/device-name.ts';
import type { SigningBrowser } from '../../accounts/sign-in.ts';
import type { PageCall } from './page.ts';

export function signingBrowserOf(call: PageCall): SigningBrowser {
  return {
    address: call.address(),
    cookieToken: call.cookieToken,
    browserToken: call.browserToken,
    device: describeDevice(call.request.header('user-agent')),
  };
}
