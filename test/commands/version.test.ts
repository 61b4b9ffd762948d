/** `verbatim version` names the program and its parts. */
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { runCommand, runVerbatim } from '../support/verbatim.ts';

const require = createRequire(import.meta.url);
const { version } = require('../../package.json') as { version: string };
const { version: onnxRuntime } = require('onnxruntime-node/package.json') as { version: string };

it('names every part, in text and in JSON', async () => {
  const { stdout } = await runCommand(['version', '--json']);
  const versions = JSON.parse(stdout);
  expect(versions).toMatchObject({
    node: process.versions.node,
    onnxRuntime,
    uWebSockets: '20.57.0',
    model: 'verbatim-MiniLM-L6',
    sqlite: expect.stringMatching(/^3\.\d+\.\d+$/),
    sqliteVec: expect.stringMatching(/^\d+\.\d+\.\d+$/),
  });
  const text = (await runCommand(['version'])).stdout;
  for (const value of Object.values<string>(versions)) expect(text).toContain(value);
});

it.each([['--version'], ['-V']])('is what the built program prints for %s', async (option) => {
  const { stdout } = await runVerbatim([option]);
  expect(stdout).toMatch(
    new RegExp(`^verbatim ${version.replaceAll('.', '\\.')} \\(([0-9a-f]{12}|unknown)\\)\n`),
  );
  expect(JSON.parse((await runVerbatim([option, '--json'])).stdout)).toMatchObject({ version });
});

it('is one of the options in the help', async () => {
  expect((await runCommand(['--help'])).stdout).toContain('-V, --version');
});
