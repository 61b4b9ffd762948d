/** A build without a license text fails. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { collectLicenses } from '../../../scripts/licenses/collect.mjs';

/** A source tree with one package, from which the bundle has one file. */
function treeWith(manifest: object, files: Record<string, string> = {}) {
  const top = mkdtempSync(join(tmpdir(), 'verbatim-licenses-'));
  onTestFinished(() => rmSync(top, { recursive: true }));
  const folder = join(top, 'node_modules/@some/part');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const inputs = { 'node_modules/@some/part/lib/index.js': { bytesInOutput: 1 } };
  return { top, metafile: { outputs: { 'verbatim.js': { inputs } } }, folders: [], parts: [] };
}

it('collects the texts of packages in the bundle', () => {
  const manifest = { name: '@some/part', version: '1.2.3', license: 'MIT' };
  const files = {
    'LICENSE.md': 'Do what you like.\n',
    'LICENSE-OTHER': 'Or not.',
    'readme.md': '',
  };
  expect(collectLicenses(treeWith(manifest, files))).toEqual([
    { ...manifest, text: 'Or not.\nDo what you like.' },
  ]);
});

it('reads the list of licenses of older packages', () => {
  const tree = treeWith(
    { name: 'old', version: '1.0.0', licenses: [{ type: 'MIT' }] },
    { LICENSE: 'A text.' },
  );
  expect(collectLicenses(tree)).toMatchObject([{ license: 'MIT' }]);
});

it('puts a standard text under the known author of a package without a file', () => {
  const tree = treeWith({ name: 'saxes', version: '6.0.0', license: 'ISC' });
  expect(collectLicenses(tree)[0]?.text).toMatch(
    /^Copyright Louis-Dominique Dubeau[\s\S]+Permission to use, copy, modify/,
  );
});

it.each([
  ['text', { name: '@some/part', version: '1.2.3', license: 'MIT' }, {}],
  ['license', { name: '@some/part', version: '1.2.3' }, { LICENSE: 'A text.' }],
])('refuses a package without a %s', (_what, manifest, files) => {
  expect(() => collectLicenses(treeWith(manifest, files))).toThrow(
    '@some/part has no license text; add it to scripts/licenses/without-file.json',
  );
});
