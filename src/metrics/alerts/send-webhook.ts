/** Posts alerts to a webhook of the operator, signed. */
import { createHmac } from 'node:crypto';
import { messageOf, VerbatimError } from '../../errors.ts';
import type { Settings } from '../../settings/config.ts';

export type WebhookSettings = Pick<
  Settings,
  'alertWebhookUrl' | 'alertWebhookSecret' | 'alertWebhookTimeoutMs'
>;

/** Resolves when the receiver has answered with 2xx. Rejects with why it did not. */
export type SendWebhook = (body: string) => Promise<void>;

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Returns what sends; undefined if no webhook is set. Throws `usage` for an address that is neither https
 * nor of this machine, and without a secret.
 */
export function createWebhook({
  alertWebhookUrl,
  alertWebhookSecret: secret,
  alertWebhookTimeoutMs,
}: WebhookSettings): SendWebhook | undefined {
  if (alertWebhookUrl === '') return undefined;
  const url = URL.canParse(alertWebhookUrl) ? new URL(alertWebhookUrl) : undefined;
  const isLocal = url?.protocol === 'http:' && LOOPBACK.test(url.hostname);
  if (url === undefined || !(url.protocol === 'https:' || isLocal) || secret === '') {
    throw new VerbatimError(
      'usage',
      'VERBATIM_ALERT_WEBHOOK_URL must be an https address, or http on this machine, and needs VERBATIM_ALERT_WEBHOOK_SECRET, which signs what it gets',
    );
  }
  return async (body) => {
    const time = Math.floor(Date.now() / 1000);
    const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: {
        'Content-Type': 'application/json',
        'Verbatim-Signature': `t=${time},v1=${signature}`,
      },
      // A redirect could lead anywhere.
      redirect: 'error',
      signal: AbortSignal.timeout(alertWebhookTimeoutMs),
    }).catch((error: unknown) => {
      throw new Error(`the webhook cannot be reached: ${messageOf(error)}`);
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the webhook answered ${response.status}`);
  };
}
