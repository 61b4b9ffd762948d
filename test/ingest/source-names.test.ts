import { describe, expect, it } from 'vitest';
import { parseSourceName, sourceNames } from '../../src/ingest/file-source-names.ts';

describe('the name of a file', () => {
  it.each([
    [
      ['/a/refs.bib', '/b/table.csv.gz'],
      ['refs.bib', 'table.csv'],
    ],
    [['/a/my refs.ris'], ['my-refs.ris']],
    [
      ['/x/a/refs.bib', '/y/a/refs.bib', '/z/b/refs.bib', '/z/c.bib'],
      ['x:a:refs.bib', 'y:a:refs.bib', 'b:refs.bib', 'c.bib'],
    ],
    [
      ['/a/refs.bib', '/a/refs.bib', '/a/refs.bib.zst'],
      ['refs.bib', 'refs.bib', 'refs.bib'],
    ],
    [['standard input'], ['standard-input']],
    [[], []],
  ])('is told for %j', (paths, names) => {
    expect(sourceNames(paths)).toEqual(names);
  });

  it('is the name given by the operator', () => {
    expect(parseSourceName(' my refs ')).toBe('my-refs');
  });

  it.each(['', ' ', 'a/b', 'a:b', 'a\\b', 'a\nb\u{7}', 'a'.repeat(101)])('is not %j', (name) => {
    expect(() => parseSourceName(name)).toThrow(
      '--source must be a name of at most 100 characters',
    );
  });
});
