import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { type KeptRecord, personalSource } from '../../../src/identity/kept-record.ts';
import { sourcesNamed } from '../../../src/identity/source-names.ts';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import {
  createFacetReader,
  type FacetFilter,
} from '../../../src/index/facets/allowed-documents.ts';
import { FACET_BYTES } from '../../../src/index/facets/facets.ts';
import { verifyIndex } from '../../../src/index/verify/verify-index.ts';
import { type PaperDetails, paperTypes } from '../../../src/types.ts';
import { recordOf } from '../../identity/records.ts';
import { expectSound, memoryIndex } from '../memory-index.ts';
import { arrive } from '../toy-incoming-records.ts';

/** Documents that the index numbers from 1, one record each. */
function indexOf(records: readonly Partial<KeptRecord>[]): Connection {
  const db = memoryIndex();
  const writer = createIndexWriter(db);
  for (const [at, fields] of records.entries()) {
    arrive(writer, recordOf({ id: `paper-${at + 1}`, title: `Paper ${at + 1}`, ...fields }));
  }
  return db;
}

/** The numbers of the documents that a filter allows. */
function allowedIn(db: Connection, filter: FacetFilter): number[] {
  const { flags, count } = createFacetReader(db)(filter);
  const numbers = [...flags.entries()].filter(([, flag]) => flag === 1).map(([number]) => number);
  expect(count).toBe(numbers.length);
  return numbers;
}

const ORCID = '0000-0002-1825-0097';
const PAPERS: Partial<KeptRecord>[] = [
  {
    year: 2019,
    venue: 'Nature',
    abstract: 'A shore.',
    source: 'openalex',
    authors: ['Ana Silva', 'Bo Dahl'],
  },
  {
    year: 2020,
    venue: 'Nature Physics',
    source: 'arxiv',
    authors: ['B. Dahl', 'Dahl, Bo'],
    details: { openAccess: true, orcids: [ORCID] },
  },
  {
    year: 0,
    venue: '',
    abstract: 'The sea.',
    source: 'doi',
    details: { type: 'review' },
    authors: ['Ana Sílva'],
  },
  { year: 2021, venue: 'NATURE.', source: personalSource('refs.bib'), details: {} },
  { year: 2021, venue: 'Café Review', source: '', details: { type: 'article', openAccess: false } },
];

describe('a filter', () => {
  it.each<[filter: FacetFilter, documents: number[]]>([
    [{}, [1, 2, 3, 4, 5]],
    [{ years: { from: 2020, to: 2021 } }, [2, 4, 5]],
    [{ years: { from: 1, to: Number.POSITIVE_INFINITY } }, [1, 2, 4, 5]],
    [{ venues: ['nature'] }, [1, 4]],
    [{ venues: ['cafe review', 'Nature physics'] }, [2, 5]],
    [{ venues: ['Physics'] }, []],
    // A venue without letters is unknown, and unknown venues match nothing.
    [{ venues: [' .'] }, []],
    [{ hasAbstract: true }, [1, 3]],
    [{ hasAbstract: false }, [2, 4, 5]],
    [{ openAccess: true }, [2]],
    [{ openAccess: false }, [5]],
    [{ types: ['review', 'article'] }, [3, 5]],
    [{ types: ['book'] }, []],
    [{ sources: sourcesNamed(['openalex', 'doi']) }, [1, 3]],
    [{ sources: sourcesNamed(['verbatim']) }, [5]],
    [{ sources: sourcesNamed(['refs.bib', 'arxiv']) }, [2, 4]],
    [{ sources: sourcesNamed(['other.bib', '']) }, []],
    [{ documents: [5, 1, 77] }, [1, 5]],
    [{ documents: [] }, []],
    [{ authors: ['Silva, Ana'] }, [1, 3]],
    [{ authors: ['bo dahl', 'ANA SILVA'] }, [1, 2, 3]],
    [{ authors: ['Silva'] }, []],
    [{ authors: [ORCID] }, [2]],
    [{ authors: ['Ana Silva'], hasAbstract: true, years: { from: 2019, to: 2019 } }, [1]],
    [{ authors: ['Ana Silva'], documents: [2, 3] }, [3]],
    [{ doiPrefixes: ['10.5555/'] }, []],
    [{ documents: [1, 2, 3], hasAbstract: true, years: { from: 2019, to: 2019 } }, [1]],
  ])('%j allows %j', (filter, documents) => {
    expect(allowedIn(indexOf(PAPERS), filter)).toEqual(documents);
  });

  it('tells the share of the index', () => {
    const read = createFacetReader(indexOf(PAPERS));
    expect(read({ hasAbstract: true }).share).toBeCloseTo(0.4);
    expect(read({ types: ['book'] })).toMatchObject({ count: 0, share: 0.2 });
    expect(createFacetReader(memoryIndex())({})).toMatchObject({ count: 0, share: 1 });
  });

  it('sees what changed, what another source added, and what is gone', () => {
    const db = indexOf(PAPERS);
    const writer = createIndexWriter(db);
    const first = { id: 'paper-1', title: 'Paper 1', abstract: 'A shore.' };
    expect(allowedIn(db, { years: { from: 1999, to: 1999 } })).toEqual([]);
    arrive(writer, recordOf({ ...first, source: 'openalex', year: 1999, updatedAt: 5 }));
    expect(allowedIn(db, { years: { from: 1999, to: 1999 } })).toEqual([1]);
    arrive(writer, recordOf({ ...first, source: 'dblp', details: { type: 'letter' } }));
    expect(allowedIn(db, { sources: sourcesNamed(['dblp']), types: ['letter'] })).toEqual([1]);
    expect(allowedIn(db, { sources: sourcesNamed(['openalex']) })).toEqual([1]);
    writer.remove(['paper-1']);
    expect(allowedIn(db, {})).toEqual([2, 3, 4, 5]);
    expectSound(db);
  });

  it('reaches documents in every block', () => {
    const db = memoryIndex();
    arrive(createIndexWriter(db), recordOf({ id: 'first', title: 'First', year: 2001 }));
    const write = db.prepare('REPLACE INTO document_facets (block, packed) VALUES (?, ?)');
    const packed = Buffer.alloc(1024 * FACET_BYTES);
    packed.writeUInt16LE(2001, 1023 * FACET_BYTES);
    packed.writeUInt8(1, 1023 * FACET_BYTES + 3);
    write.run(3, packed);
    expect(allowedIn(db, { years: { from: 2001, to: 2001 } })).toEqual([1, 4 * 1024 - 1]);
  });

  it('allows what a comparison of each record allows', () => {
    const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
    const paper = fc.record({
      year: fc.constantFrom(0, 1, 1999, 2000, 9999),
      venue: fc.constantFrom('', 'Nature', 'Cell'),
      abstract: fc.constantFrom('', 'A shore.'),
      source: fc.constantFrom('openalex', 's2', personalSource('a')),
      type: maybe(fc.constantFrom(...paperTypes)),
      openAccess: maybe(fc.boolean()),
      citationCount: maybe(fc.constantFrom(0, 1, 300, 2 ** 32)),
    });
    const filters = fc.record(
      {
        years: fc.record({ from: fc.constantFrom(1, 1999), to: fc.constantFrom(1999, 9999) }),
        venues: fc.constantFrom(['Nature'], ['Nature', 'cell'], ['x']),
        hasAbstract: fc.boolean(),
        types: fc.uniqueArray(fc.constantFrom(...paperTypes), { minLength: 1 }),
        openAccess: fc.boolean(),
        minCitations: fc.constantFrom(1, 2, 300, 2 ** 31 - 1),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(paper, { maxLength: 8 }), fc.array(filters), (papers, all) => {
        const db = indexOf(
          papers.map(({ type, openAccess, citationCount, ...fields }) => {
            const details: PaperDetails = {};
            if (type !== undefined) details.type = type;
            if (openAccess !== undefined) details.openAccess = openAccess;
            if (citationCount !== undefined) details.citationCount = citationCount;
            return { ...fields, details };
          }),
        );
        for (const filter of all) {
          const expected = papers.flatMap((one, at) => (matches(one, filter) ? [at + 1] : []));
          expect(allowedIn(db, filter)).toEqual(expected);
        }
      }),
      { numRuns: 40 },
    );
  });
});

interface Paper {
  year: number;
  venue: string;
  abstract: string;
  type: PaperDetails['type'];
  openAccess: boolean | undefined;
  citationCount: number | undefined;
}

function matches(paper: Paper, filter: FacetFilter): boolean {
  const { years, venues, hasAbstract, types, openAccess, minCitations } = filter;
  if (years && !(paper.year > 0 && paper.year >= years.from && paper.year <= years.to))
    return false;
  if (venues && !venues.some((one) => one.toLowerCase() === paper.venue.toLowerCase()))
    return false;
  if (hasAbstract !== undefined && hasAbstract !== (paper.abstract !== '')) return false;
  if (types && !(paper.type && types.includes(paper.type))) return false;
  if (minCitations !== undefined && !((paper.citationCount ?? 0) >= minCitations)) return false;
  return openAccess === undefined || openAccess === paper.openAccess;
}

describe('verification', () => {
  it.each([
    ['a document without facets', 'DELETE FROM document_facets'],
    ['a short block', "UPDATE document_facets SET packed = x'00'"],
    ['other facets', 'UPDATE document_facets SET packed = zeroblob(length(packed))'],
    ['a count of citations', 'UPDATE document_facets SET citations = randomblob(4096)'],
  ])('finds %s', (_, damage) => {
    const db = indexOf(PAPERS.slice(0, 1));
    expectSound(db);
    db.exec(damage);
    expect(verifyIndex(db, { problemsMax: 10 }).problems).toEqual([
      'paper-1: its facets differ from what its records say',
    ]);
  });
});
