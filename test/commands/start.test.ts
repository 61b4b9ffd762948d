/** `verbatim start` on its first run, and on the next: README's first line. */
import { spawn } from 'node:child_process';
import { afterAll, describe, expect, it } from 'vitest';
import { bundlePath } from '../../src/bundle.ts';
import { PASSWORD } from '../support/history.ts';
import { createClient } from '../support/pages.ts';
import { copySampleIndex, postSearch, removeDatabase } from '../support/service.ts';

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
