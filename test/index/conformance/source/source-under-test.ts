/** What an implementation of the index source must offer to be tested, and the corpus to test it with. */
import type { KeptRecord } from '../../../../src/identity/kept-record.ts';
import type { IndexSource } from '../../../../src/index/ports/index-source.ts';
import { recordOf } from '../../../identity/records.ts';

/** An implementation with an index of its own, which holds the corpus. */
export interface SourceUnderTest {
  source: IndexSource;
  /** Adds a record as a build does, beside the source. */
  add(record: KeptRecord): Promise<void>;
  /** Closes the source, and removes the index. */
  close(): Promise<void>;
}

/** Makes an index of records, in their order, and a source of it. */
export type MakeSource = (corpus: Corpus) => Promise<SourceUnderTest>;

export interface Corpus {
  /** The first ones, for which a build has written postings. */
  records: readonly KeptRecord[];
  /** Those that came later, which no posting names yet. */
  later: readonly KeptRecord[];
}

const WORDS = ['moon', 'tide', 'mouse', 'sleep', 'soil', 'carbon', 'light', 'cell'];

/** A paper that two sources describe. */
export const TIDES = {
  id: '10.5555/tides',
  title: 'Tides of the northern shore: a long record',
  abstract: 'The moon pulls the sea. The tide rose twice a day. “It fell,” we found.',
  year: 1998,
  authors: ['Anna Berg', 'Bo Dahl'],
  venue: 'Journal of Shores',
  source: 'doi',
  identifiers: { doi: '10.5555/tides', arxiv: '1801.00001' },
} as const satisfies Partial<KeptRecord>;

export const RETRACTED = {
  id: '10.5555/moons',
  title: 'Moons of the outer planets',
  abstract: 'Nine moons were found.',
  year: 2019,
  source: 'doi',
  identifiers: { doi: '10.5555/moons' },
  withheld: 'retracted',
} as const satisfies Partial<KeptRecord>;

/** Another record of the first paper, which it shares an identifier with. */
const SECOND = {
  id: 'W17',
  source: 'openalex',
  identifiers: { openalex: 'W17', arxiv: '1801.00001' },
} as const satisfies Partial<KeptRecord>;

/** Words of many scripts. */
export const SCRIPTS = {
  id: 'scripts',
  title: 'Sueño y θάλασσα',
  abstract: 'Données: 土壤含碳. IL-6 rose.',
  year: 0,
} as const satisfies Partial<KeptRecord>;

/** So many more papers follow. */
const OTHERS = 40;

export const corpus: Corpus = {
  records: [
    recordOf(TIDES),
    recordOf(RETRACTED),
    recordOf(SCRIPTS),
    recordOf({ ...SECOND, title: TIDES.title, authors: ['A. Berg'], year: TIDES.year }),
    ...Array.from({ length: OTHERS }, (_, at) => paper(at)),
  ],
  later: [paper(OTHERS), paper(OTHERS + 1)],
};

/** The ids of all documents. */
export const ids = [
  ...[TIDES.id, RETRACTED.id, SCRIPTS.id],
  ...Array.from({ length: OTHERS + 2 }, (_, at) => `paper-${at}`),
];

export function paper(at: number): KeptRecord {
  const wordOf = (step: number): string => WORDS[(at * step) % WORDS.length] as string;
  return recordOf({
    id: `paper-${at}`,
    title: `On ${wordOf(1)} and ${wordOf(3)}, part ${at}`,
    abstract: `The ${wordOf(5)} rose ${at} times. Then the ${wordOf(7)} fell.`,
    year: 2000 + (at % 5),
    venue: at % 2 === 0 ? 'Shores' : 'Valleys',
    source: at % 4 === 0 ? 'arxiv' : 'doi',
    details: {
      type: at % 3 === 0 ? 'review' : 'article',
      openAccess: at % 2 === 0,
      language: at % 10 === 0 ? 'de' : 'en',
      ...(at % 3 === 0 ? { field: 'Physics' } : {}),
      ...(at === 3 ? { orcids: ['0000-0002-1825-0097'] } : {}),
    },
  });
}
