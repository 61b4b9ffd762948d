/** Settings of topping up credit through Stripe. Without its two secrets, top-up is off. */
import type { SettingsPart } from './setting.ts';

export const paymentSettings = {
  stripeSecretKey: {
    variable: 'VERBATIM_STRIPE_SECRET_KEY',
    value: '',
    help: "Stripe's secret key; empty: customers cannot top up by themselves",
  },
  stripeWebhookSecret: {
    variable: 'VERBATIM_STRIPE_WEBHOOK_SECRET',
    value: '',
    help: 'signing secret of the webhook that Stripe sends to `/webhooks/stripe`',
  },
  stripeAddress: {
    variable: 'VERBATIM_STRIPE_ADDRESS',
    value: 'https://api.stripe.com',
    help: "base address of Stripe's API",
  },
  creditPacks: {
    variable: 'VERBATIM_CREDIT_PACKS',
    value: '1000:500,5000:2400,20000:9000',
    help: 'what is sold: credits:price, the price in the smallest unit of the currency (cents)',
  },
  creditCurrency: {
    variable: 'VERBATIM_CREDIT_CURRENCY',
    value: 'usd',
    help: 'currency of the packs, its code of three letters',
  },
  stripeTimeoutMs: {
    variable: 'VERBATIM_STRIPE_TIMEOUT_MS',
    value: 8_000,
    help: "wait for one answer of Stripe's API",
  },
  stripeRetriesMax: {
    variable: 'VERBATIM_STRIPE_RETRIES_MAX',
    value: 2,
    help: "further tries of a call of Stripe's API that failed",
  },
  checkoutsPerHourMax: {
    variable: 'VERBATIM_CHECKOUTS_PER_HOUR_MAX',
    value: 20,
    help: 'purchases that one customer may begin in an hour',
  },
  webhookBytesMax: {
    variable: 'VERBATIM_WEBHOOK_BYTES_MAX',
    value: 256 * 1024,
    help: 'size of an event that Stripe sends; above it 413',
  },
  webhookAgeSecondsMax: {
    variable: 'VERBATIM_WEBHOOK_AGE_SECONDS_MAX',
    value: 300,
    help: 'age of the signature of an event; an older one is refused',
  },
  webhooksInFlightMax: {
    variable: 'VERBATIM_WEBHOOKS_IN_FLIGHT_MAX',
    value: 32,
    help: 'events that are received at a time; above it 503, and Stripe sends them again',
  },
  reconcileSessionsMax: {
    variable: 'VERBATIM_RECONCILE_SESSIONS_MAX',
    value: 10_000,
    help: 'Checkout sessions that `verbatim payment reconcile` asks Stripe for',
  },
} as const satisfies SettingsPart;
