/** Ports and hosts that cannot be listened on, and signals to a server that npm has started. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundlePath } from '../../src/settings/bundle.ts';
import { temporaryFolder } from '../support/accounts.ts';
import { copySampleIndex, removeDatabase, type Service, startService } from '../support/service.ts';
import { runVerbatim } from '../support/verbatim.ts';

let database: string;
let other: string;

beforeAll(async () => {
  [database, other] = await Promise.all([copySampleIndex(), copySampleIndex()]);
});
afterAll(() => Promise.all([removeDatabase(database), removeDatabase(other)]));

describe('a port', () => {
  it.each(['99999', '65536', '-1', '80a', ''])('cannot be %j as an option', async (port) => {
    const args = ['serve', `--port=${port}`, '--db', database];
    const { stderr } = await runVerbatim(args, { code: 2 });
    expect(stderr).toContain('It must be a whole number from 0 to 65535.');
  });

  it('cannot be 99999 as a setting', async () => {
    const env = { VERBATIM_PORT: '99999' };
    const { stderr } = await runVerbatim(['serve', '--db', database], { code: 2, env });
    expect(stderr).toBe(
      'verbatim: VERBATIM_PORT must be a whole number from 0 to 65535, not "99999"\n',
    );
  });

  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['0.0.0.0', '127.0.0.1'],
    ['127.0.0.1', '0.0.0.0'],
  ])('on %s is reported as in use if another program listens on %s', async (host, takenOn) => {
    const taken = createServer().listen(0, takenOn);
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const args = ['serve', '--host', host, '--port', String(port), '--db', database];
    const { stderr } = await runVerbatim(args, { code: 2 });
    expect(stderr).toBe(
      `verbatim: cannot listen on ${host}:${port}: port ${port} is in use by another program; ` +
        'choose one with --port\n',
    );
    taken.close();
  });

  it('of another verbatim server is reported as in use, not shared', async () => {
    const first: Service = await startService(other);
    const { port } = new URL(first.url);
    const args = ['serve', '--host', '127.0.0.1', '--port', port, '--db', database];
    const { stderr } = await runVerbatim(args, { code: 2 });
    expect(stderr).toContain(`port ${port} is in use by another program`);
    await first.end();
  });
});

it.each([
  ['no-such-host.invalid', 'the host "no-such-host.invalid" is unknown; choose one with --host'],
  ['192.0.2.1', '192.0.2.1 is not an address of this machine; choose one with --host'],
])('serve rejects the host %s with a plain message', async (host, why) => {
  const args = ['serve', '--host', host, '--port', '0', '--db', database];
  const { stderr } = await runVerbatim(args, { code: 2 });
  expect(stderr).toBe(`verbatim: cannot listen on ${host}:0: ${why}\n`);
});

describe('npm start', () => {
  const folder = temporaryFolder();
  const top = resolve(import.meta.dirname, '../..');

  it.each(['SIGTERM', 'SIGINT'] as const)('%s ends the server that it started', async (signal) => {
    // The real script and the real program, but what would build it anew is left out.
    const project = join(folder, signal);
    mkdirSync(project);
    const { scripts } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'));
    writeFileSync(join(project, 'package.json'), JSON.stringify({ scripts }));
    writeFileSync(join(project, 'build.mjs'), '');
    symlinkSync(join(bundlePath(), '..'), join(project, 'dist'));
    const child = spawn('npm', ['start'], {
      cwd: project,
      env: {
        ...process.env,
        VERBATIM_DB: database,
        VERBATIM_HOST: '127.0.0.1',
        VERBATIM_PORT: '0',
        VERBATIM_METRICS_PORT: '0',
        VERBATIM_WARM_UP_SEARCHES: '0',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let printed = '';
    const port = await new Promise<string>((found, reject) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
        const [, port] = /"event":"serving".*"port":(\d+)/.exec(printed) ?? [];
        if (port !== undefined) found(port);
      });
      child.once('exit', () => reject(new Error(printed)));
    });
    const closed = once(child, 'close');
    child.kill(signal);
    // The pipe closes when the last process has ended that writes to it.
    await closed;
    expect(printed).toContain('"event":"stopped"');
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
  });
});
