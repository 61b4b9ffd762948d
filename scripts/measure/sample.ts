/** Questions for measurements: the sample's titles, to which local answers have the highest confidence, and others. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { bundlePath, samplePath } from '../../src/settings/bundle.ts';

/** Returns the title of every sample document. */
export function sampleTitles(): string[] {
  const folder = samplePath();
  return readdirSync(folder).flatMap((name) =>
    linesOf(join(folder, name)).map((line) => (JSON.parse(line) as { title: string }).title),
  );
}

/** Returns the questions of questions.txt. */
export function writtenQuestions(): string[] {
  return linesOf(sourcePath('scripts/measure/questions.txt'));
}

/** Where a file of the source tree is. */
export function sourcePath(path: string): string {
  return join(dirname(bundlePath()), '..', path);
}

/** Returns the lines of a file, plain or gzipped, that are not blank. */
export function linesOf(path: string): string[] {
  const bytes = readFileSync(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes)
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
}
