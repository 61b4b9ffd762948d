/** Posts alerts to a webhook of the operator, signed. */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, VerbatimError } from '../../errors.ts';
import { readAtMost } from '../../read-at-most.ts';
import type { Settings } from '../../settings/config.ts';

export type WebhookSettings = Pick<
  Settings,
  | 'alertWebhookUrl'
  | 'alertWebhookSecret'
  | 'alertWebhookTimeoutMs'
  | 'alertWebhookPauseMs'
  | 'alertWebhookAttemptsMax'
  | 'alertWebhookAnswerBytesMax'
>;

/** Resolves when the receiver has answered with 2xx. Rejects with why it did not. */
export type SendWebhook = (body: string) => Promise<void>;

const SIGNATURE_HEADER = 'Verbatim-Signature';
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** A receiver that will refuse the same body again. */
class Refused extends Error {}

/**
 * Returns what sends; undefined if no webhook is set. Throws `usage` for an address that is neither https
 * nor of this machine, and without a secret.
 */
export function createWebhook(settings: WebhookSettings): SendWebhook | undefined {
  const { alertWebhookUrl, alertWebhookSecret: secret, alertWebhookAttemptsMax } = settings;
  if (alertWebhookUrl === '') return undefined;
  const url = URL.canParse(alertWebhookUrl) ? new URL(alertWebhookUrl) : undefined;
  const isLocal = url?.protocol === 'http:' && LOOPBACK.test(url.hostname);
  if (url === undefined || !(url.protocol === 'https:' || isLocal)) {
    throw new VerbatimError(
      'usage',
      'VERBATIM_ALERT_WEBHOOK_URL must be an https address, or http on this machine',
    );
  }
  if (secret === '') {
    throw new VerbatimError(
      'usage',
      'VERBATIM_ALERT_WEBHOOK_SECRET must be set: it signs what VERBATIM_ALERT_WEBHOOK_URL gets',
    );
  }
  return async (body) => {
    for (let attempt = 1; ; attempt++) {
      try {
        await post(url, body, settings);
        return;
      } catch (error) {
        if (attempt >= alertWebhookAttemptsMax || error instanceof Refused) throw error;
        await sleep(settings.alertWebhookPauseMs * attempt, undefined, { ref: false });
      }
    }
  };
}

async function post(url: URL, body: string, settings: WebhookSettings): Promise<void> {
  const seconds = Math.floor(Date.now() / 1000);
  const signature = signatureOf(settings.alertWebhookSecret, seconds, body);
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: {
      'Content-Type': 'application/json',
      [SIGNATURE_HEADER]: `t=${seconds},v1=${signature}`,
    },
    // A redirect could lead anywhere.
    redirect: 'error',
    signal: AbortSignal.timeout(settings.alertWebhookTimeoutMs),
  }).catch((error: unknown) => {
    throw new Error(`the webhook cannot be reached: ${messageOf(error)}`);
  });
  await readAtMost(response, settings.alertWebhookAnswerBytesMax);
  if (response.ok) return;
  const message = `the webhook answered ${response.status}`;
  const mayAcceptLater = response.status >= 500 || response.status === 429;
  throw mayAcceptLater ? new Error(message) : new Refused(message);
}

/** Returns HMAC-SHA256 of the time, a dot, and the body, in hexadecimal. */
function signatureOf(secret: string, seconds: number, body: string): string {
  return createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
}
