/** Names use the field's standard terms; these are the words that we dropped for them. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const top = resolve(import.meta.dirname, '..');

/** Each with its standard term, and the files in which it means something else. */
const dropped: readonly {
  word: string;
  instead: string;
  /** Files in which it means something else. */
  elsewhere?: RegExp;
}[] = [
  // Tables have cells.
  {
    word: 'cell',
    instead: 'inverted list',
    elsewhere: /csv|table|ingest|output|ledger|docs|readme|dashboard/,
  },
  { word: 'centre', instead: 'centroid' },
  { word: 'arrange', instead: 'recluster' },
  { word: 'preselect', instead: 'prune' },
  { word: 'telling', instead: 'expansion' },
  // Processes get signals.
  { word: 'signals', instead: 'forward index', elsewhere: /interruption|cluster\/load|^test/ },
  { word: 'places', instead: 'limiter', elsewhere: /^test|^scripts/ },
  { word: 'shelf', instead: 'expiring store' },
  { word: 'standing', instead: 'circuit breaker' },
  { word: 'flights', instead: 'single flight', elsewhere: /single-flight/ },
  { word: 'foreseen', instead: 'expected error' },
  { word: 'refusal', instead: 'precheck or rejection', elsewhere: /^test|uwebsockets/ },
  { word: 'arrival', instead: 'incoming record' },
  { word: 'erased', instead: 'deleted' },
  { word: 'moment', instead: 'timestamp', elsewhere: /^test/ },
  // An error code of the API, and an option that still works, have the word.
  { word: 'foreign', instead: 'out of domain', elsewhere: /errors|calibrate|^test/ },
];

const files = ['src', 'test', 'scripts'].flatMap((folder) =>
  readdirSync(join(top, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|mjs)$/.test(entry.name))
    .map((entry) => relative(top, join(entry.parentPath, entry.name)))
    // Conversions keep the words of their time.
    .filter((path) => !/^src\/store\/migrations\/|^test\/words/.test(path)),
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
  it.each(dropped)('say $instead, not $word', ({ word, elsewhere }) => {
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
