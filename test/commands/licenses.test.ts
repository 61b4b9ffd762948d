/** `verbatim licenses` prints the licenses that the build collected. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '../support/verbatim.ts';

const packages = resolve(import.meta.dirname, '../../dist/node_modules');

it('has the text of everything in dist/, whether bundled or beside the bundle', async () => {
  const licenses = JSON.parse((await runCommand(['licenses', '--json'])).stdout) as {
    name: string;
    text: string;
  }[];
  const names = licenses.map(({ name }) => name);
  for (const folder of readdirSync(packages)) {
    const manifest = readFileSync(join(packages, folder, 'package.json'), 'utf8');
    expect(names).toContain(JSON.parse(manifest).name);
  }
  // Parts of the bundle, and parts that are no packages.
  for (const name of ['undici', 'preact', 'SQLite', 'verbatim-MiniLM-L6']) {
    expect(names).toContain(name);
  }
  for (const { name, text } of licenses) expect(text.length, name).toBeGreaterThan(40);
});

it('prints each text under its name', async () => {
  const { stdout } = await runCommand(['licenses']);
  expect(stdout).toMatch(
    /^stripe \d+\.\d+\.\d+ \(MIT\)\n=+\n\n[\s\S]{10,}Permission is hereby granted/m,
  );
});
