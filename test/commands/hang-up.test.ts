/** SIGHUP to a server without a certificate, and to a server whose terminal was closed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { bundlePath } from '../../src/settings/bundle.ts';
import { copySampleIndex, removeDatabase, startService } from '../support/service.ts';

it('does no harm without a certificate, and is logged', async () => {
  const database = await copySampleIndex();
  const service = await startService(database);
  onTestFinished(async () => {
    await service.end();
    await removeDatabase(database);
  });
  service.process.kill('SIGHUP');
  const events = () => service.log.map(({ event }) => event);
  await expect.poll(events).toContain('nothing_to_reload');
  expect((await fetch(`${service.url}/health`)).status).toBe(200);
});

/** Starts a program on a terminal of its own, sends it SIGHUP, closes the terminal, and waits. */
const ON_A_TERMINAL = `
import os, pty, signal, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
def read_until(text):
    seen = b''
    while text not in seen:
        seen += os.read(terminal, 1000)
read_until(b'listens on')
os.kill(pid, signal.SIGHUP)
read_until(b'nothing to reload')
os.close(terminal)
print(os.WTERMSIG(os.waitpid(pid, 0)[1]))
`;

it('ends a server whose terminal was closed', async () => {
  const database = await copySampleIndex();
  onTestFinished(() => removeDatabase(database));
  const serve = [process.execPath, bundlePath(), 'serve', '--db', database, '--port', '0'];
  const child = spawn('python3', ['-c', ON_A_TERMINAL, ...serve, '--host', '127.0.0.1'], {
    env: { ...process.env, VERBATIM_SEARCH_THREADS: '1', VERBATIM_LANE_THREADS: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (data) => {
    printed += data;
  });
  expect(await once(child, 'close')).toEqual([0, null]);
  const HANG_UP = 1;
  expect(Number(printed)).toBe(HANG_UP);
});
