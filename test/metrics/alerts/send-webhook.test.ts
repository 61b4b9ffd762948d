/** The webhook of alerts: signed, and nowhere but where it may go. */
import { createHmac } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createWebhook } from '../../../src/metrics/alerts/send-webhook.ts';
import { readSettings } from '../../../src/settings/config.ts';
import { startStub } from '../../support/lanes/stub-server.ts';

const SECRET = 'whsec of a test';
const settingsOf = (alertWebhookUrl: string, alertWebhookSecret = SECRET) =>
  readSettings({ alertWebhookUrl, alertWebhookSecret }, {});

async function receiver(how: Parameters<typeof startStub>[0]) {
  const stub = await startStub(how);
  onTestFinished(() => stub.close());
  return { stub, send: createWebhook(settingsOf(`${stub.url}/alerts`)) };
}

describe('the webhook of alerts', () => {
  it('gets the body with the time and the signature of both', async () => {
    const { stub, send } = await receiver({ body: 'ok' });
    await send?.('{"kind":"disk"}');
    const [request] = stub.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/alerts', body: '{"kind":"disk"}' });
    const [, time = '', signature] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request?.headers['verbatim-signature'])) ?? [];
    const own = createHmac('sha256', SECRET).update(`${time}.{"kind":"disk"}`).digest('hex');
    expect(signature).toBe(own);
    expect(Math.abs(Number(time) * 1000 - Date.now())).toBeLessThan(3_600_000);
  });

  it.each([
    [{ status: 400 }, 'answered 400'],
    [{ status: 302, headers: { location: 'http://127.0.0.1:9/' } }, 'cannot be reached'],
    [{ fault: 'reset' } as const, 'cannot be reached'],
  ])('that answers %j was not reached: %s', async (answer, why) => {
    const { stub, send } = await receiver(answer);
    await expect(send?.('{}')).rejects.toThrow(why);
    expect(stub.requests).toHaveLength(1);
  });

  it.each([
    ['http://example.org/', SECRET],
    ['ftp://127.0.0.1/', SECRET],
    ['not an address', SECRET],
    ['https://example.org/', ''],
  ])('is refused at %s with the secret %j', (url, secret) => {
    expect(() => createWebhook(settingsOf(url, secret))).toThrow('VERBATIM_ALERT_WEBHOOK');
  });

  it('is none without an address', () => {
    expect(createWebhook(settingsOf(''))).toBeUndefined();
  });
});
