/** Mail through the real library to a mail server of ours on loopback. */
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createMailer, type MailSettings } from '../../src/accounts/mail.ts';
import { temporaryFolder } from '../support/accounts.ts';
import { withLimits } from '../support/limits.ts';
import { type Faults, type MailServer, startMailServer } from '../support/mail-server.ts';
import { runJson, runVerbatim } from '../support/verbatim.ts';

const servers: MailServer[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function startServer(faults: Faults = {}): Promise<MailServer> {
  const server = await startMailServer(faults);
  servers.push(server);
  return server;
}

const mail = {
  to: 'bob@example.org',
  subject: 'Für dich',
  text: 'first line\n\nhttps://a.example/?b=c\n',
};

function settings(smtpUrl: string, change: Partial<MailSettings> = {}): MailSettings {
  return { smtpUrl, mailFrom: 'Verbatim <ada@example.org>', mailTimeoutMs: 5_000, ...change };
}

describe('a mail', () => {
  it('is sent after authentication and arrives unchanged', async () => {
    const server = await startServer();
    await createMailer(settings(server.url))?.(mail);
    expect(server.commands).toContain(
      `AUTH PLAIN ${Buffer.from('\0ada\0s@cret').toString('base64')}`,
    );
    expect(server.commands).toContain('MAIL FROM:<ada@example.org>');
    expect(server.commands.filter((command) => command.startsWith('RCPT'))).toEqual([
      'RCPT TO:<bob@example.org>',
    ]);
    const [head = '', body = ''] = server.received[0]?.split('\r\n\r\n', 2) ?? [];
    expect(head).toMatch(/^From: Verbatim <ada@example\.org>$/m);
    expect(head).toMatch(/^To: bob@example\.org$/m);
    expect(head).toMatch(/^Subject: =\?UTF-8\?/m);
    expect(head).toMatch(/^Content-Type: text\/plain/m);
    expect(body).toContain('first line');
    expect(server.received[0]).toContain('https://a.example/?b=c');
  });

  it('cannot gain a header or a recipient through its texts', async () => {
    const server = await startServer();
    const subject = 'hello\r\nBcc: eve@example.org';
    const send = createMailer(settings(server.url)) ?? expect.fail();
    await send({ ...mail, subject });
    const to = 'bob@example.org, eve@example.org';
    await send({ ...mail, to }).catch(() => {});
    expect(server.commands.join()).not.toContain('<eve@example.org>');
    expect(server.commands.filter((command) => command.startsWith('RCPT'))[0]).toBe(
      'RCPT TO:<bob@example.org>',
    );
    expect(server.received[0]).not.toMatch(/^Bcc:/m);
  });

  const faults: [what: string, faults: Faults, reason: RegExp][] = [
    [
      'that refuses the password',
      { AUTH: '535 no: s@cret' },
      /^the mail was not accepted: EAUTH, answer 535$/,
    ],
    [
      'that knows no such recipient',
      { RCPT: '550 no' },
      /^the mail was not accepted: EENVELOPE, answer 550$/,
    ],
    [
      'that refuses the mail',
      { taken: '554 no' },
      /^the mail was not accepted: EMESSAGE, answer 554$/,
    ],
    ['that is busy', { hello: '421 later' }, /^the mail was not accepted: \w+, answer 421$/],
  ];
  it.each(faults)(
    'to a server %s fails without revealing a secret',
    async (_what, replies, reason) => {
      const server = await startServer(replies);
      const sending = createMailer(settings(server.url))?.(mail);
      await expect(sending).rejects.toMatchObject({
        code: 'mail_failed',
        message: expect.stringMatching(reason),
      });
    },
  );

  it.each<[what: string, faults: Faults]>([
    ['says nothing', { hello: '' }],
    ['stops in the middle', { DATA: '' }],
  ])('to a server that %s fails in time', async (_what, replies) => {
    const server = await startServer(replies);
    const sending = createMailer(settings(server.url, { mailTimeoutMs: 500 }))?.(mail);
    await expect(sending).rejects.toThrow(/^the mail was not accepted: (took too long|ETIMEDOUT)$/);
  });

  it('to an endless server fails in time', async () => {
    const server = await startServer({ EHLO: '250-wait' });
    const timer = setInterval(() => server.sockets[0]?.write('250-wait\r\n'), 20);
    const sending = createMailer(settings(server.url, { mailTimeoutMs: 300 }))?.(mail);
    await expect(sending).rejects.toThrow('the mail was not accepted: took too long');
    clearInterval(timer);
  });

  it('to a missing server fails', async () => {
    const sending = createMailer(settings('smtp://127.0.0.1:1'))?.(mail);
    await expect(sending).rejects.toThrow('the mail was not accepted: ESOCKET');
  });

  it('is not sent without TLS to another machine', async () => {
    const server = await startServer();
    // Reaches this machine too, by an address that is not known to.
    const url = server.url.replace('127.0.0.1', '0.0.0.0');
    await expect(createMailer(settings(url))?.(mail)).rejects.toThrow('the mail was not accepted');
    expect(server.commands.map((command) => command.slice(0, 4))).toEqual(['EHLO', 'STAR']);
  });
});

describe('settings of mail', () => {
  it('without a server create no mailer', () => {
    expect(createMailer(settings(''))).toBeUndefined();
  });

  it.each(['mail.example.org', 'http://mail.example.org', 'smtp:///secret', 'smtps:secret'])(
    'with the server %j are rejected without quoting the value',
    (url) => {
      const create = () => createMailer(settings(url));
      expect(create).toThrow(expect.objectContaining({ code: 'usage' }));
      expect(create).not.toThrow(url);
      expect(create).toThrow('VERBATIM_SMTP_URL must be');
    },
  );

  it.each(['', 'Verbatim'])('with the sender %j are rejected', (mailFrom) => {
    expect(() => createMailer(settings('smtp://localhost', { mailFrom }))).toThrow(
      'VERBATIM_MAIL_FROM must be',
    );
  });
});

describe('the command line', () => {
  const database = join(temporaryFolder(), 'mail.db');
  const env = (url: string) => ({
    VERBATIM_SMTP_URL: url,
    VERBATIM_MAIL_FROM: 'ada@example.org',
    VERBATIM_PUBLIC_URL: 'https://search.example.org',
    ...withLimits({ mailTimeoutMs: 3_000 }),
  });

  it('mails the link, and does not print it', async () => {
    const server = await startServer();
    const args = ['customer', 'add', 'eve@example.org', '--db', database];
    const { stdout } = await runVerbatim(args, { env: env(server.url) });
    expect(stdout).toContain(
      'a link to choose a password was mailed to eve@example.org; it works once',
    );
    expect(stdout).not.toContain('token');
    expect(server.received[0]).toMatch(/https:\/\/search\.example\.org\/dashboard\/link\?token=/);
    const again = await runJson(['customer', 'link', 'eve@example.org', '--db', database], {
      env: env(server.url),
    });
    expect(again).toEqual({
      email: 'eve@example.org',
      link: { url: null, expiresAt: expect.any(Number) },
    });
  });

  it('prints the link if it cannot be mailed', async () => {
    const server = await startServer({ RCPT: '550 no' });
    const args = ['customer', 'link', 'eve@example.org', '--db', database];
    const { stdout, stderr } = await runVerbatim(args, { env: env(server.url) });
    expect(stdout).toMatch(/https:\/\/search\.example\.org\/dashboard\/link\?token=[\w-]{43}\n$/);
    expect(stderr).toBe(
      'verbatim: the mail was not accepted: EENVELOPE, answer 550; hand out the link yourself\n',
    );
  });

  it('adds no customer and does not serve with invalid settings', async () => {
    const args = ['customer', 'add', 'zoe@example.org', '--db', database];
    await runVerbatim(args, { env: env('mail.example.org'), code: 2 });
    const bad = { VERBATIM_PUBLIC_URL: 'search.example.org' };
    await runVerbatim(args, { env: bad, code: 2 });
    const { stderr } = await runVerbatim(['serve', '--db', database], { env: bad, code: 2 });
    expect(stderr).toMatch(/^verbatim: VERBATIM_PUBLIC_URL must be https:/);
    expect(await runJson(['customer', 'list', '--db', database])).toHaveLength(1);
  });
});
