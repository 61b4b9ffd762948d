/** Settings of alerts to operators. */
import { limit, type SettingsPart } from './setting.ts';

export const alertSettings = {
  alertWebhookUrl: {
    kind: 'text',
    value: '',
    help: 'address to which alerts are posted as signed JSON; https, or http on this machine; empty: alerts go by mail only',
  },
  alertWebhookSecret: {
    kind: 'text',
    value: '',
    secret: true,
    help: 'secret that signs them: `Verbatim-Signature` is `t=SECONDS,v1=HEX`, the HMAC-SHA256 of SECONDS, a dot, and the body',
  },
  alertCheckMs: limit(60_000, 'ms', 'time between two looks for what is wrong'),
  alertStartMs: limit(
    120_000,
    'ms',
    'after its start a server does not alert of failing searches: it may still load',
  ),
  alertGapMs: limit(
    600_000,
    'ms',
    'least time between two messages about one kind of alert; what comes and goes in between is not told',
  ),
  alertAttemptsMax: limit(
    12,
    'attempts',
    'how often a message that reached nobody is tried, a gap apart; then it is given up',
  ),
  alertWebhookTimeoutMs: limit(10_000, 'ms', 'how long the webhook may take to answer'),
  alertWebhookAttemptsMax: limit(
    3,
    'requests',
    'requests of one attempt, if the webhook does not answer or answers 429 or 5xx',
  ),
  alertWebhookPauseMs: limit(
    1_000,
    'ms',
    'pause after the first of them; each further one is longer by it',
  ),
  alertWebhookAnswerBytesMax: limit(
    64 * 1024,
    'bytes',
    'the longest answer of the webhook that is read',
  ),
} as const satisfies SettingsPart;
