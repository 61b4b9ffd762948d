/** Names use the field's standard terms; these are the words that we dropped for them. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const top = resolve(import.meta.dirname, '..');

/** Each with its standard term, and the files in which it means something else. */
const dropped: readonly (readonly [word: string, instead: string, elsewhere?: RegExp])[] = [
  // Tables have cells.
  ['cell', 'inverted list', /csv|table|ingest|output|migrations|dashboard|ledger-csv/],
  ['centre', 'centroid', /migrations/],
  ['arrange', 'recluster', /migrations/],
  ['preselect', 'prune'],
  ['telling', 'expansion'],
  ['signals', 'forward index', /migrations|interruption/],
  ['places', 'limiter'],
  ['shelf', 'expiring store'],
  ['standing', 'circuit breaker'],
  ['flights', 'single flight'],
  ['foreseen', 'expected error'],
  ['refusal', 'precheck'],
  ['arrival', 'incoming record'],
  ['erased', 'deleted'],
  ['moment', 'timestamp'],
  ['foreign', 'out of domain'],
];

const files = ['src', 'test', 'scripts'].flatMap((folder) =>
  readdirSync(join(top, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|mjs)$/.test(entry.name))
    .map((entry) => relative(top, join(entry.parentPath, entry.name)))
    .filter((path) => path !== relative(top, import.meta.filename)),
);

/** The words that the identifiers of a file are made of, in lower case. */
function wordsOf(path: string): Set<string> {
  const code = readFileSync(join(top, path), 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, ' ')
    .replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, ' ');
  const names = [basename(path).replace(/\..*/, ''), ...(code.match(/[A-Za-z_$][\w$]*/g) ?? [])];
  return new Set(
    names
      .flatMap((name) => name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [])
      .map((word) => word.toLowerCase()),
  );
}

const words = new Map(files.map((path) => [path, wordsOf(path)]));

describe('names', () => {
  it.each(dropped)('say nothing of "%s": the term is %s', (word, _instead, elsewhere) => {
    const forms = [word, `${word}s`, `${word}d`, `${word.replace(/e$/, '')}ing`];
    const found = [...words]
      .filter(([path]) => elsewhere?.test(path) !== true)
      .filter(([, used]) => forms.some((form) => used.has(form)))
      .map(([path]) => path);
    expect(found).toEqual([]);
  });

  it('are looked for where there are some', () => {
    expect(words.size).toBeGreaterThan(500);
    expect(words.get('src/store/index/dense/inverted-lists.ts')).toContain('list');
  });
});
