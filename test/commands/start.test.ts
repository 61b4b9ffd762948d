/** `verbatim start` on its first run, and on the next: README's first line. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bundlePath } from '../../src/bundle.ts';
import { temporaryFolder } from '../support/accounts.ts';
import { createAuthority } from '../support/certificates.ts';
import { PASSWORD } from '../support/history.ts';
import { createClient } from '../support/pages.ts';
import { copySampleIndex, postSearch, removeDatabase, startService } from '../support/service.ts';
import { runVerbatim } from '../support/verbatim.ts';

const database = copySampleIndex();
afterAll(async () => removeDatabase(await database));

/** What it prints until it serves, and how it is ended. */
async function start(): Promise<{ printed: string; end: () => Promise<unknown> }> {
  const child = spawn(process.execPath, [bundlePath(), 'start', '--db', await database], {
    env: { ...process.env, VERBATIM_HOST: '127.0.0.1', VERBATIM_PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (/ {2}(Stop|Open the dashboard) {2}.*\n/.test(printed)) resolve();
    });
    void exited.then((code) => reject(new Error(`exited with ${code}: ${printed}`)));
  });
  const end = (): Promise<unknown> => {
    child.kill();
    return exited;
  };
  return { printed, end };
}

describe('verbatim start', () => {
  it('prints a key that searches and a link that leads to the dashboard', async () => {
    const { printed, end } = await start();
    const [, url = ''] = /is ready at (http:\/\/localhost:\d+)\n/.exec(printed) ?? [];
    const [, secret = ''] = /Bearer (sk_live_\w{38})'/.exec(printed) ?? [];
    expect(printed.split(secret)).toHaveLength(3);
    const own = url.replace('localhost', '127.0.0.1');
    expect((await postSearch(own, secret)).status).toBe(200);

    const [link = ''] = /http\S+token=[\w-]{43}/.exec(printed) ?? [];
    const { origin, pathname, search, searchParams } = new URL(link);
    expect(origin).toBe(url);
    const client = createClient(own);
    const token = searchParams.get('token') ?? '';
    const fields = { token, new_password: PASSWORD, new_password_again: PASSWORD };
    const chosen = await client.submit('/dashboard/link', fields, pathname + search);
    expect(chosen.headers.location).toBe('/dashboard');
    expect((await client.get('/dashboard')).text).toContain('999 credits');
    await end();
  });

  it('does not print them again', async () => {
    const { printed, end } = await start();
    expect(printed).not.toMatch(/sk_live_|token=/);
    await end();
  });
});

describe('a start that cannot succeed makes nothing', () => {
  const folder = temporaryFolder();
  const { certificateFile, keyFile } = createAuthority(folder).issue('old', -1);

  /** Starts in an empty folder; returns what it said. */
  async function refusedStart(
    env: Record<string, string>,
    { options = [], code }: { options?: string[]; code: number },
  ): Promise<string> {
    const empty = mkdtempSync(join(folder, 'empty-'));
    const args = ['start', '--port', '0', '--db', join(empty, 'data/v.db'), ...options];
    const { stderr } = await runVerbatim(args, { env, code });
    expect(readdirSync(empty)).toEqual([]);
    return stderr;
  }

  /** Loaded before the program: the C library has another version, or is another one. */
  const withGlibc = (version: string): Record<string, string> => ({
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
      `process.report.getReport = () => ({ header: { glibcVersionRuntime: ${version} } });`,
    )}`,
  });

  it.each([
    ["'2.31'", 'has glibc 2.31'],
    ["'2.35'", 'has glibc 2.35'],
    ["'1.99'", 'has glibc 1.99'],
    ['undefined', 'has no glibc'],
  ])('on a system with glibc %s', async (version, has) => {
    const needs = 'and Verbatim needs glibc 2.36 or later (Debian 12, Ubuntu 24.04)';
    const said = await refusedStart(withGlibc(version), { code: 1 });
    expect(said).toBe(`verbatim: this system ${has}, ${needs}\n`);
  });

  it.each(["'2.36'", "'2.41'", "'3.0'"])('but not with glibc %s', async (version) => {
    await runVerbatim(['version'], { env: withGlibc(version) });
  });

  it('with a certificate that has expired, unless the operator allows it', async () => {
    const env = { VERBATIM_TLS_CERTIFICATE: certificateFile, VERBATIM_TLS_KEY: keyFile };
    const said = await refusedStart(env, { code: 2 });
    expect(said).toMatch(
      /^verbatim: the certificate in \S+old\.crt expired on \d{4}-\d\d-\d\d; renew it, or use --allow-expired\n$/,
    );
    const { log, end } = await startService(await database, env, [], ['--allow-expired']);
    expect(log).toContainEqual(
      expect.objectContaining({ event: 'certificate_refused_by_clients' }),
    );
    expect(await end()).toBe(0);
  });
});
