/** src/dashboard/README.md agrees with the pages. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pages } from '../../src/dashboard/routes.ts';
import { expectLinksToExist } from '../support/readme.ts';

const path = resolve(import.meta.dirname, '../../src/dashboard/README.md');
const readme = readFileSync(path, 'utf8');

describe('src/dashboard/README.md', () => {
  it('describes every customer page that a link leads to', () => {
    const shown = pages.filter(({ path, get }) => get !== undefined && !path.includes(':'));
    for (const { path } of shown.filter(({ access }) => access === 'customer')) {
      expect(readme).toContain(`\`${path}\``);
    }
  });

  it('links only to headings and files that exist', () => {
    expectLinksToExist(path);
  });
});
