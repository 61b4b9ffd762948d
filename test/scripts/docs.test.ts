import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { generatedFiles } from '../../scripts/docs/generated-files.ts';

const top = resolve(import.meta.dirname, '../..');

it.each(Object.entries(generatedFiles))(
  '%s is what `npm run docs` writes',
  async (path, textOf) => {
    expect(readFileSync(resolve(top, path), 'utf8')).toBe(await textOf());
  },
);
