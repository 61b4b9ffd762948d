/** Settings of topping up credit through Stripe. Without its two secrets, top-up is off. */
import type { SettingsPart } from './setting.ts';

export const paymentSettings = {
  stripeSecretKey: {
    kind: 'text',
    variable: 'VERBATIM_STRIPE_SECRET_KEY',
    secret: true,
    value: '',
    help: "Stripe's secret key; empty: customers cannot top up on their own",
  },
  stripeWebhookSecret: {
    kind: 'text',
    variable: 'VERBATIM_STRIPE_WEBHOOK_SECRET',
    secret: true,
    value: '',
    help: "signing secret of Stripe's webhook to `/webhooks/stripe`",
  },
  stripeAddress: {
    kind: 'text',
    variable: 'VERBATIM_STRIPE_ADDRESS',
    value: 'https://api.stripe.com',
    help: "base address of Stripe's API",
  },
  creditPacks: {
    kind: 'text',
    variable: 'VERBATIM_CREDIT_PACKS',
    value: '1000:500,5000:2400,20000:9000',
    help: 'packs for sale, as credits:price, with the price in the smallest unit of the currency (cents)',
  },
  creditCurrency: {
    kind: 'text',
    variable: 'VERBATIM_CREDIT_CURRENCY',
    value: 'usd',
    help: 'currency of the packs, as a code of three letters',
  },
  stripeTimeoutMs: {
    kind: 'integer',
    variable: 'VERBATIM_STRIPE_TIMEOUT_MS',
    value: 8_000,
    unit: 'ms',
    help: "time limit of one response of Stripe's API",
  },
  stripeRetriesMax: {
    kind: 'integer',
    variable: 'VERBATIM_STRIPE_RETRIES_MAX',
    value: 2,
    unit: 'retries',
    min: 0,
    help: "retries of a failed request to Stripe's API",
  },
  checkoutsPerHourMax: {
    kind: 'integer',
    variable: 'VERBATIM_CHECKOUTS_PER_HOUR_MAX',
    value: 20,
    unit: 'purchases',
    help: 'purchases that one customer can start in an hour',
  },
  webhookBytesMax: {
    kind: 'integer',
    variable: 'VERBATIM_WEBHOOK_BYTES_MAX',
    value: 256 * 1024,
    unit: 'bytes',
    help: 'size of an event from Stripe; beyond it, the response is 413',
  },
  webhookAgeSecondsMax: {
    kind: 'integer',
    variable: 'VERBATIM_WEBHOOK_AGE_SECONDS_MAX',
    value: 300,
    unit: 'seconds',
    help: 'age of the signature of an event; an older one is rejected',
  },
  webhooksInFlightMax: {
    kind: 'integer',
    variable: 'VERBATIM_WEBHOOKS_IN_FLIGHT_MAX',
    value: 32,
    unit: 'events',
    help: 'events that are processed concurrently; beyond it, the response is 503, and Stripe sends them again',
  },
  reconcileSessionsMax: {
    kind: 'integer',
    variable: 'VERBATIM_RECONCILE_SESSIONS_MAX',
    value: 10_000,
    unit: 'sessions',
    help: 'Checkout sessions that `verbatim payment reconcile` requests from Stripe',
  },
} as const satisfies SettingsPart;
