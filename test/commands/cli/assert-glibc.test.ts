/** No command starts on a system whose C library is another one, or too old. */
import { afterEach, expect, it, vi } from 'vitest';
import { assertGlibc } from '../../../src/commands/cli/assert-glibc.ts';
import { runCommand } from '../../support/verbatim.ts';

function withGlibc(glibcVersionRuntime: string | undefined): void {
  vi.spyOn(process.report, 'getReport').mockReturnValue({ header: { glibcVersionRuntime } });
}
afterEach(() => void vi.restoreAllMocks());

it.each([
  ['2.31', 'has glibc 2.31'],
  ['2.35', 'has glibc 2.35'],
  ['1.99', 'has glibc 1.99'],
  [undefined, 'has no glibc'],
])('glibc %s is refused', (version, has) => {
  withGlibc(version);
  expect(assertGlibc).toThrow(`this system ${has}, and Verbatim needs glibc 2.36 or later`);
});

it.each(['2.36', '2.41', '3.0'])('glibc %s will do', (version) => {
  withGlibc(version);
  expect(assertGlibc).not.toThrow();
});

it('is asked before a command does anything', async () => {
  withGlibc('2.31');
  const { stdout, stderr } = await runCommand(['version'], { code: 1 });
  expect([stdout, stderr]).toEqual(['', expect.stringContaining('has glibc 2.31')]);
});
