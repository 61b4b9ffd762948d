/** The priority of a build, as the system has it when the build ends. */
import { getPriority } from 'node:os';
import { expect, it } from 'vitest';
import { runVerbatim } from '../../support/verbatim.ts';

const own = getPriority();
/** Loaded before the program. */
const report = `
  import { getPriority } from 'node:os';
  import { isMainThread } from 'node:worker_threads';
  if (isMainThread) process.on('exit', () => process.stdout.write('nice ' + getPriority()));`;
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(report)}`;

it.each([
  ['the lowest', '', [], 19],
  ['that of the setting', '7', [], Math.max(own, 7)],
  ['its own', '0', [], own],
  ['that of a lower start', '7', ['nice', '-n', '12'], Math.min(own + 12, 19)],
])('a build takes %s', async (_what, niceness, through, expected) => {
  const env = { NODE_OPTIONS, VERBATIM_BUILD_NICENESS: niceness };
  const { stdout } = await runVerbatim(['index', 'add', '/none'], { env, through, code: 1 });
  expect(stdout).toBe(`nice ${expected}`);
});
