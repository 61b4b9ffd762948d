/** The titles of the sample documents. Local answers to them have the highest confidence. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { samplePath } from '../../src/bundle.ts';

/** Returns the title of every sample document. */
export function sampleTitles(): string[] {
  const folder = samplePath();
  return readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { title: string }).title),
  );
}
