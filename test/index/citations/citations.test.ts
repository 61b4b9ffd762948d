import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idKeyOf } from '../../../src/identity/record-keys.ts';
import { decodeReferences, encodeReferences } from '../../../src/identity/reference-list.ts';
import {
  decodeCiting,
  encodeCiting,
  mergeCiting,
} from '../../../src/index/citations/citing-list.ts';
import { newestFirst } from '../../../src/index/citations/newest-first.ts';
import { createCitationsReader } from '../../../src/index/citations/stored-citations.ts';
import { keyOfStoredWork, storedWorkOf } from '../../../src/index/citations/stored-work.ts';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import { recordOf } from '../../identity/records.ts';
import { testSeed } from '../../support/random.ts';
import { expectSound, memoryIndex } from '../memory-index.ts';
import { arrive, takeBack } from '../toy-incoming-records.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];
const doiOf = (name: string): string => `10.5555/${name}`;

/**
 * A paper arrives, which two others may be merged with by a second identifier, or is taken back. A list of
 * references may come without its paper, and be taken back, too.
 */
const anyStep = fc.record({
  kind: fc.constantFrom(
    'arrive',
    'arrive',
    'arrive',
    'merge',
    'list',
    'list',
    'delete',
    'unlist',
    'remove',
  ),
  name: fc.constantFrom(...NAMES),
  other: fc.constantFrom(...NAMES),
  cited: fc.uniqueArray(fc.constantFrom(...NAMES, 'absent'), { maxLength: 4 }),
});

describe('citations in an index', () => {
  it('are those of the records, after any imports, merges, and removals', () => {
    const db = memoryIndex();
    const property = fc.property(fc.array(anyStep, { maxLength: 12 }), (steps) => {
      const writer = createIndexWriter(db);
      const { citing, references } = createCitationsReader(db);
      let updatedAt = 0;
      for (const { kind, name, other, cited } of steps) {
        updatedAt += 1;
        const doi = doiOf(name);
        if (kind === 'delete') takeBack(writer, 'doi', { doi });
        else if (kind === 'unlist') takeBack(writer, 'opencitations', { doi });
        else if (kind === 'remove') writer.remove([doi]);
        else {
          const isMerge = kind === 'merge';
          const list = { id: `list ${name}`, part: 'references', source: 'opencitations' } as const;
          arrive(
            writer,
            recordOf({
              id: isMerge ? `W${name}${other}` : doi,
              title: `On ${name}`,
              source: isMerge ? 'openalex' : 'doi',
              identifiers: isMerge ? { doi, pmid: other } : { doi },
              references: cited.map((one) => ({ identifiers: { doi: doiOf(one) } })),
              updatedAt,
              ...(kind === 'list' && { ...list, title: '' }),
            }),
          );
        }
      }
      // Sums over the records and the lists agree.
      expectSound(db);
      // Each edge is seen from both ends.
      const documents = db.prepare('SELECT number FROM documents').pluck().all() as number[];
      const forward = documents.flatMap((document) =>
        references(document).works.flatMap((keys) => keys.map((key) => `${document} ${key}`)),
      );
      const backward = [...NAMES, 'absent'].flatMap((name) => {
        const key = idKeyOf(doiOf(name));
        return [...citing([key])].map((document) => `${document} ${key}`);
      });
      expect(backward.sort()).toEqual(forward.sort());
    });
    // One index for all runs: it takes longer to make than a run.
    property.beforeEach(() => void db.exec('BEGIN')).afterEach(() => void db.exec('ROLLBACK'));
    fc.assert(property, { numRuns: 1_000, seed: testSeed() });
  });

  it('have lists that are read as they were written', () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 2 ** 31 - 1 }));
    const property = fc.property(numbers, (documents) => {
      const ascending = [...documents].sort((a, b) => a - b);
      expect([...decodeCiting(encodeCiting(ascending))]).toEqual(ascending);
    });
    fc.assert(property, { seed: testSeed() });
    const references = NAMES.map((name, at) => ({
      identifiers: at % 2 === 0 ? { doi: doiOf(name) } : { doi: doiOf(name), pmid: `${at}` },
    }));
    const list = encodeReferences({ part: 'record', references });
    expect(decodeReferences(list).map(({ length }) => length)).toEqual([1, 1, 1, 2, 2, 2]);
    expect(encodeReferences({ part: 'references', references })).toEqual(list);
    expect(encodeReferences({ part: 'abstract', references })).toBeNull();
    expect(encodeReferences({ part: 'record', references: [] })).toBeNull();
  });

  it('name works by short keys, which are read in full', () => {
    const short = {
      'doi:10.5555/a': '\u00015555/a',
      'doi:10.1371/journal.pone.0123456': '\u0010123456',
      'openalex:W77': '\u000277',
      'pmid:10': 'pmid:10',
      'text:10. A tide table': 'text:10. A tide table',
    };
    for (const [key, stored] of Object.entries(short)) {
      expect(storedWorkOf(key)).toBe(stored);
      expect(keyOfStoredWork(stored)).toBe(key);
    }
    // As in files of the first builds with citations.
    expect(keyOfStoredWork('doi:10.5555/a')).toBe('doi:10.5555/a');
  });

  it('are paged by years and numbers, however they are ordered', () => {
    const property = fc.property(
      fc.uniqueArray(fc.integer({ min: 1, max: 60 })),
      fc.array(fc.nat(3), { minLength: 61, maxLength: 61 }),
      fc.integer({ min: 1, max: 9 }),
      (documents, years, most) => {
        const yearOf = (document: number): number => years[document] ?? 0;
        const listed: number[] = [];
        let after: number | undefined;
        for (;;) {
          const page = newestFirst(documents, yearOf, { after, most });
          listed.push(...page.map(({ document }) => document));
          after = page.at(-1)?.position;
          if (page.length < most) break;
        }
        const newest = (a: number, b: number): number => yearOf(b) - yearOf(a) || b - a;
        expect(listed).toEqual([...documents].sort(newest));
      },
    );
    fc.assert(property, { seed: testSeed() });
  });

  it('are merged as sets are', () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 40 }));
    const property = fc.property(fc.array(numbers, { maxLength: 4 }), (lists) => {
      const ascending = lists.map((list) => Uint32Array.from(list).sort());
      const all = [...new Set(lists.flat())].sort((a, b) => a - b);
      expect([...mergeCiting(ascending)]).toEqual(all);
    });
    fc.assert(property, { seed: testSeed() });
  });
});
