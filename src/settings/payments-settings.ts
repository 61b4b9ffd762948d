/** Settings of topping up credit through Stripe. Without its two secrets, top-up is off. */
import { limit, type SettingsPart } from './setting.ts';

export const paymentSettings = {
  stripeSecretKey: {
    kind: 'text',
    secret: true,
    value: '',
    help: "Stripe's secret key; empty: customers cannot top up on their own",
  },
  stripeWebhookSecret: {
    kind: 'text',
    secret: true,
    value: '',
    help: "signing secret of Stripe's webhook to `/webhooks/stripe`",
  },
  stripeAddress: {
    kind: 'text',
    value: 'https://api.stripe.com',
    help: "base address of Stripe's API",
  },
  stripeCheckoutDomain: {
    kind: 'text',
    value: '',
    help: 'your own domain for Checkout, if you have set one up at Stripe, such as pay.example.org',
  },
  creditPacks: {
    kind: 'text',
    value: '1000:500,5000:2400,20000:9000',
    help: 'packs for sale, as credits:price, with the price in the smallest unit of the currency (cents)',
  },
  creditCurrency: {
    kind: 'text',
    value: 'usd',
    help: 'currency of the packs, as a code of three letters',
  },
  stripeTimeoutMs: limit(8_000, 'ms', "time limit of one response of Stripe's API"),
  stripeRetriesMax: limit(2, 'retries', "retries of a failed request to Stripe's API"),
  stripeResponseBytesMax: limit(
    4 * 1024 * 1024,
    'bytes',
    "size of one response of Stripe's API; a larger one counts as no response",
  ),
  sellerName: {
    kind: 'text',
    value: '',
    help: 'name of the seller on receipts; empty: the host of the service',
  },
  sellerAddress: {
    kind: 'text',
    value: '',
    help: 'postal address of the seller on receipts, with `|` between its lines',
  },
  sellerTaxLine: {
    kind: 'text',
    value: '',
    help: 'what receipts say about tax, such as a tax number or that no tax is due, with `|` between its lines',
  },
  buyerAddressCharactersMax: limit(
    500,
    'characters',
    'postal address that a customer wants on receipts',
  ),
  buyerAddressLinesMax: limit(8, 'lines', 'lines of that address'),
  buyerTaxIdCharactersMax: limit(60, 'characters', 'tax number that a customer wants on receipts'),
  paymentLookSeconds: limit(3, 'seconds', 'time until the page after a payment looks again for it'),
  paymentLooksMax: limit(20, 'looks', 'looks of that page; then it says what to do'),
  checkoutsPerHourMax: limit(20, 'purchases', 'purchases that one customer can start in an hour'),
  topUpCheckMs: limit(
    10_000,
    'ms',
    'time between two looks for balances below the threshold of an automatic top-up',
  ),
  topUpsPerCheckMax: limit(
    20,
    'orders',
    'automatic orders that are placed after one look, and for which Stripe is asked, one after the other',
  ),
  topUpRetryMs: limit(
    120_000,
    'ms',
    'time until Stripe is asked again about an automatic order, or the removal of a card, that it has not answered',
  ),
  webhookBytesMax: limit(
    256 * 1024,
    'bytes',
    'size of an event from Stripe; beyond it, the response is 413',
  ),
  webhookAgeSecondsMax: limit(
    300,
    'seconds',
    'age of the signature of an event; an older one is rejected',
  ),
  webhooksInFlightMax: limit(
    32,
    'events',
    'events that are processed concurrently; beyond it, the response is 503, and Stripe sends them again',
  ),
  reconcileSessionsMax: limit(
    10_000,
    'sessions',
    'Checkout sessions that `verbatim payment reconcile` requests from Stripe',
  ),
} as const satisfies SettingsPart;
