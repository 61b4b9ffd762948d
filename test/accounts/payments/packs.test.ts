import { describe, expect, it } from 'vitest';
import { parseOffer } from '../../../src/accounts/payments/packs.ts';
import { readOffer, type TopUpSettings } from '../../../src/accounts/payments/top-up.ts';
import { readSettings } from '../../../src/settings/config.ts';
import { runVerbatim } from '../../support/verbatim.ts';

const parse = (creditPacks: string, creditCurrency = 'usd') =>
  parseOffer({ creditPacks, creditCurrency });

describe('packs', () => {
  it('cost 5 dollars for 1,000 searches by default', () => {
    const { packs, currency } = parseOffer(readSettings({}, {}));
    expect(packs[0]).toEqual({ credits: 1_000, amount: 500 });
    expect(currency).toBe('usd');
  });

  it('are parsed in order, ignoring spaces', () => {
    expect(parse(' 5000:2400 , 1000:500', 'EUR')).toEqual({
      packs: [
        { credits: 5_000, amount: 2_400 },
        { credits: 1_000, amount: 500 },
      ],
      currency: 'eur',
    });
  });

  const wrong: [text: string, reason: string][] = [
    ['', '"" is not a pack'],
    ['1000', '"1000" is not a pack'],
    ['1000:', '"1000:" is not a pack'],
    ['1000:5.00', '"1000:5.00" is not a pack'],
    ['1000:-500', '"1000:-500" is not a pack'],
    ['1,000:500', '"1" is not a pack'],
    ['1000:500,', '"" is not a pack'],
    ['1000:500:7', '"1000:500:7" is not a pack'],
    ['0:500', 'the credits of "0:500" must be between 1 and 1000000000'],
    ['1000:0', 'the price of "1000:0" must be between 1 and 99999999'],
    ['1000000001:5', 'the credits of "1000000001:5" must be between 1 and 1000000000'],
    ['1:100000000', 'the price of "1:100000000" must be between 1 and 99999999'],
    ['1000:500,1000:400', 'there are two packs of 1000 credits'],
    [
      Array.from({ length: 21 }, (_, index) => `${index + 1}:5`).join(','),
      'at most 20 packs can be sold, not 21',
    ],
  ];
  it.each(wrong)('%j are rejected: %s', (text, reason) => {
    const message = expect.stringMatching(/^VERBATIM_CREDIT_PACKS: /);
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'usage', message }));
    expect(() => parse(text)).toThrow(reason);
  });

  it.each(['', 'us', 'dollar', 'u$d', '123'])('rejects the currency %j', (currency) => {
    expect(() => parse('1000:500', currency)).toThrow(
      `VERBATIM_CREDIT_CURRENCY must be a code of three letters, not "${currency}"`,
    );
  });
});

describe('an offer', () => {
  const secrets = { stripeSecretKey: 'sk_test_x', stripeWebhookSecret: 'whsec_x' };
  const settings = (overrides: Partial<TopUpSettings>) => readSettings(overrides, {});

  it('exists with both secrets, and not without them', () => {
    expect(readOffer(settings({}))).toBeUndefined();
    expect(readOffer(settings(secrets))?.packs).toHaveLength(3);
  });

  it.each([
    'https://api.stripe.com',
    'https://api.stripe.com/',
    'https://proxy.example.org:8443',
    'http://127.0.0.1:12111',
    'http://localhost:12111',
  ])('accepts the API address %s', (stripeAddress) => {
    expect(readOffer(settings({ ...secrets, stripeAddress }))).toBeDefined();
  });

  const address = 'VERBATIM_STRIPE_ADDRESS must be an https address without a path';
  const wrong: [overrides: Partial<TopUpSettings>, reason: string][] = [
    [{ stripeSecretKey: 'sk_x' }, 'VERBATIM_STRIPE_WEBHOOK_SECRET is required for top-up'],
    [{ stripeWebhookSecret: 'whsec_x' }, 'VERBATIM_STRIPE_SECRET_KEY is required for top-up'],
    [{ ...secrets, stripeSecretKey: 'sk x' }, 'VERBATIM_STRIPE_SECRET_KEY must not contain white'],
    [{ ...secrets, stripeAddress: 'api.stripe.com' }, address],
    [{ ...secrets, stripeAddress: 'http://api.stripe.com' }, address],
    [{ ...secrets, stripeAddress: 'ftp://127.0.0.1' }, address],
    [{ ...secrets, stripeAddress: 'https://api.stripe.com/v1' }, address],
    [{ ...secrets, stripeAddress: 'https://me@api.stripe.com' }, address],
    [{ creditPacks: 'many' }, 'VERBATIM_CREDIT_PACKS: "many" is not a pack'],
  ];
  it.each(wrong)('of %j is rejected: %s', (overrides, reason) => {
    expect(() => readOffer(settings(overrides))).toThrow(reason);
  });

  it('that is invalid stops the start without printing a secret', async () => {
    const env = { VERBATIM_STRIPE_SECRET_KEY: 'sk_live_secret and' };
    const { stderr } = await runVerbatim(['serve'], { env, code: 2 });
    expect(stderr).toBe('verbatim: VERBATIM_STRIPE_SECRET_KEY must not contain white space\n');
  });
});
