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
  alertStartMs: limit(120_000, 'ms', 'how long failing searches are no alert after the start'),
  alertGapMs: limit(600_000, 'ms', 'least time between two messages about one kind of alert'),
  alertWebhookTimeoutMs: limit(10_000, 'ms', 'how long the webhook may take to answer'),
} as const satisfies SettingsPart;
