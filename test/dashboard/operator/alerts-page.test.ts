/** Alerts of a real server: chosen on the page, sent by mail and webhook, once when raised and once when over. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StubServer, startStub } from '../../support/lanes/stub-server.ts';
import { withLimits } from '../../support/limits.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';
import { addEnrolledOperator, operatorClient } from '../../support/operators.ts';
import { createClient, useServer } from '../../support/pages.ts';
import { PATIENT } from '../../support/patient.ts';
import { startService } from '../../support/service.ts';

const ROOT = 'root@example.org';
const SECRET = 'secret of the test';
const PATH = '/operator/alerts';
let mail: MailServer;
let webhook: StubServer;
let token: string;
beforeAll(async () => {
  mail = await startMailServer();
  webhook = await startStub({ status: 204 });
});
afterAll(async () => {
  mail.close();
  await webhook.close();
});
const server = useServer(
  (database) => {
    ({ token } = addEnrolledOperator(database, ROOT));
  },
  () => ({
    VERBATIM_SMTP_URL: mail.url,
    VERBATIM_MAIL_FROM: 'verbatim@example.org',
    VERBATIM_ALERT_WEBHOOK_URL: webhook.url,
    VERBATIM_ALERT_WEBHOOK_SECRET: SECRET,
    ...withLimits({ alertCheckMs: 50, alertGapMs: 100 }),
  }),
);

const operator = () => operatorClient(server.url, { token });
/** What the webhook got of disks, oldest first. */
const told = () =>
  webhook.requests
    .map(({ body }) => JSON.parse(body) as Record<string, string>)
    .filter(({ kind }) => kind === 'disk')
    .map(({ state }) => state);
const mailed = (text: string) => mail.received.filter((one) => one.includes(text)).length;

const thresholds = {
  searches_threshold: '5',
  disk_threshold: '1',
  lanes_threshold: '15',
  certificate_threshold: '14',
  backup_threshold: '48',
  disputes_threshold: '7',
  payments_threshold: '7',
};

describe('the page Alerts', () => {
  it('sends a test to operators and to the webhook, and says what failed', async () => {
    const tested = await operator().submit(`${PATH}/test`, {}, PATH);
    expect(tested.status).toBe(200);
    expect(tested.text).toContain('The test was sent on every channel');
    const { body = '', headers } = webhook.requests.at(-1) ?? {};
    expect(JSON.parse(body)).toMatchObject({ kind: 'test', state: 'test' });
    const [, time, signature] =
      /^t=(\d+),v1=(\w+)$/.exec(String(headers?.['verbatim-signature'])) ?? [];
    expect(signature).toBe(createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex'));
    expect(mailed('Only a test of alerts')).toBe(1);
    webhook.answer({ status: 500 });
    const failed = await operator().submit(`${PATH}/test`, {}, PATH);
    webhook.answer({ status: 204 });
    expect(failed.text).toContain('The webhook answered 500.');
  });

  it('turns alerts on and off, which are sent once each', async () => {
    const choose = (fields: Record<string, string>) =>
      operator().submit(PATH, { ...thresholds, ...fields }, PATH);
    // No disk has a terabyte left for tests: if one has, this asks for more.
    const raised = await choose({ disk: 'on', disk_threshold: '999999' });
    expect(raised.headers.location).toBe(`${PATH}?done=saved`);
    await expect.poll(told, PATIENT).toEqual(['raised']);
    await expect.poll(() => mailed('Disk nearly full: the disk has'), PATIENT).toBe(1);
    const now = await operator().get('/operator');
    expect(now.text).toContain('Searches work, but the disk has');
    await choose({ disk: 'on' });
    await expect.poll(told, PATIENT).toEqual(['raised', 'cleared']);
    await choose({ disk_threshold: '999999' });
    await expect
      .poll(async () => (await operator().get(PATH)).text, PATIENT)
      .toContain('<span class="badge bad">since');
    expect(told()).toEqual(['raised', 'cleared']);
    const { text } = await operator().get('/operator/trail');
    expect(text).toContain('alerts set');
  });

  it.each([
    ['disk_threshold', '0'],
    ['searches_threshold', '1000000'],
    ['backup_threshold', 'soon'],
    ['disputes_threshold', ''],
  ])('refuses %s of %j, and shows it again', async (name, value) => {
    const got = await operator().submit(PATH, { ...thresholds, [name]: value }, PATH);
    expect(got.status).toBe(422);
    expect(got.text).toContain('enter a whole number from 1 to');
  });

  it('is closed to strangers', async () => {
    const got = await createClient(server.url).post(`${PATH}/test`, {});
    expect(got.headers.location).toContain('/operator/sign-in');
  });
});

it('a server does not start with a webhook that anybody could read', async () => {
  const open = {
    VERBATIM_ALERT_WEBHOOK_URL: 'http://example.org/',
    VERBATIM_ALERT_WEBHOOK_SECRET: 'x',
  };
  await expect(startService(server.database, open)).rejects.toThrow('VERBATIM_ALERT_WEBHOOK_URL');
});
