import { resolve } from 'node:path';
import { it } from 'vitest';
import { expectFilesToBeNamed, expectLinksToExist } from '../../support/readme.ts';

const readme = resolve(import.meta.dirname, '../../../src/commands/doctor/README.md');

it('src/commands/doctor/README.md names every file of its folder', () => {
  expectFilesToBeNamed(readme);
});

it('src/commands/doctor/README.md links to what exists', () => {
  expectLinksToExist(readme);
});
