/** Runs this script again in namespaces of its own, where links between its processes can be cut. */
import { spawnSync } from 'node:child_process';
import { startProcess } from '../bench/processes.ts';

/** The first argument of the script inside. */
export const INSIDE = 'inside';

const EXIT_FAILED = 1;
/** A network without any host, and shared memory that ends with it. */
const UNSHARE = ['unshare', '--net', '--ipc'];
/** What cutting a link takes: see network.ts. */
const NEEDED = [
  'ip link set lo up',
  'ip link add switch type bridge',
  'ip link add cable type veth peer name socket',
  'command -v nsenter',
].join(' && ');

/**
 * Resolves to the exit code of this script inside. Resolves to undefined, and runs nothing, where
 * namespaces are not to be had: without root, or without `ip`.
 */
export async function runInNamespace(args: readonly string[]): Promise<number | undefined> {
  const [program = '', ...options] = UNSHARE;
  if (process.getuid?.() !== 0) return undefined;
  if (spawnSync(program, [...options, 'sh', '-c', NEEDED]).status !== 0) return undefined;
  const self = [process.execPath, process.argv[1] ?? '', INSIDE, ...args];
  const child = startProcess([...UNSHARE, ...self], { stdio: 'inherit' });
  // It tidies up before it ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? EXIT_FAILED));
  });
}
