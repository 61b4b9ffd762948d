import { expect, it } from 'vitest';
import { stripeAddress } from '../../../src/dashboard/operator/page/stripe-address.ts';

const live = { stripeSecretKey: 'sk_live_x' };
const DASHBOARD = 'https://dashboard.stripe.com';

it.each([
  ['pi_1', `${DASHBOARD}/payments/pi_1`],
  ['du_1A', `${DASHBOARD}/disputes/du_1A`],
  ['evt_1', `${DASHBOARD}/events/evt_1`],
  ['cs_test_1', undefined],
  ['constructor_x', undefined],
  ['pi_../../x', undefined],
  ['pi_1\n', undefined],
  ['', undefined],
])('%j is shown at %s', (id, address) => {
  expect(stripeAddress(live, id)).toBe(address);
});

it('is shown among the tests if the key is one for tests', () => {
  expect(stripeAddress({ stripeSecretKey: 'rk_test_x' }, 'pi_1')).toBe(
    `${DASHBOARD}/test/payments/pi_1`,
  );
});
