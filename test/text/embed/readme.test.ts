/** models/README.md says what the manifest of the bundled model says. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const models = resolve(import.meta.dirname, '../../../models');
const readme = readFileSync(`${models}/README.md`, 'utf8');
const manifest = JSON.parse(
  readFileSync(`${models}/verbatim-MiniLM-L6/manifest.json`, 'utf8'),
) as Record<string, unknown> & { source: { package: string; origin: string } };

describe('models/README.md', () => {
  it('names the origin, the package and the dimensions of the model', () => {
    const { name, dimensions, tokensMax, source } = manifest;
    for (const fact of [name, dimensions, tokensMax, source.package, source.origin]) {
      expect(readme).toContain(String(fact));
    }
  });

  it.each(Object.keys(manifest).filter((field) => !['description', 'source'].includes(field)))(
    'explains the field %s of the manifest',
    (field) => {
      expect(readme).toContain(`\`${field}\``);
    },
  );
});
