import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { settingsReadme } from '../../scripts/docs/settings-readme.ts';
import { settingsTable } from '../../src/settings/config.ts';

const readme = readFileSync(resolve(import.meta.dirname, '../../src/settings/README.md'), 'utf8');

it('src/settings/README.md is what `npm run docs` writes', () => {
  // The defaults of threads are in words, so the file is the same on every machine.
  expect(readme).toBe(settingsReadme());
});

it('src/settings/README.md has a row for every setting of the table', () => {
  for (const { variable } of Object.values(settingsTable)) {
    expect(readme).toContain(`\n| \`${variable}\` | `);
  }
});
