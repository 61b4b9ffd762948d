/** Random records of few papers, so that many of them have to do with each other. */
import fc from 'fast-check';
import type { Scheme } from '../../src/identity/identifiers.ts';
import { type KeptRecord, personalSource } from '../../src/identity/kept-record.ts';
import type { Identifiers } from '../../src/types.ts';
import { recordOf } from './records.ts';

const TITLES = [
  'How the tides of the North Sea rise',
  'How the tides of the north sea rise.',
  'What the moon does to the shore at night',
  'Tides',
];

/** The values that sources know papers by; few of each, so that they meet. */
const values = {
  doi: ['10.5555/a', '10.5555/b', '10.48550/arxiv.2401.00001', '10.1101/2020.01.01.1'],
  arxiv: ['2401.00001', '2401.00002'],
  pmid: ['7', '8'],
  acl: ['P19-1001'],
  openalex: ['W1', 'W2', 'W3'],
  s2: ['5', '6'],
} as const satisfies Identifiers | Partial<Record<Scheme, readonly string[]>>;

type KnownScheme = keyof typeof values;

const sources = Object.keys(values) as KnownScheme[];
const anyOf = (scheme: KnownScheme) => fc.constantFrom<string>(...values[scheme]);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });

/** A record of a source with a scheme, named by its own value of it. */
const sourced = fc.constantFrom(...sources).chain((source) =>
  fc.tuple(anyOf(source), identifiers()).map(([own, others]) => ({
    source,
    identifiers: { ...others, [source]: own },
    id: others.doi ?? `${source} ${own}`,
  })),
);

const unsourced = fc
  .tuple(fc.constantFrom('a', 'b', '10.5555/a'), identifiers())
  .map(([id, own]) => ({ source: '' as const, identifiers: own, id: own.doi ?? id }));

const personal = fc
  .tuple(fc.constantFrom('a.bib', 'b.ris'), fc.constantFrom('1', '2', '3'), identifiers())
  .map(([file, key, own]) => ({
    source: personalSource(file),
    identifiers: own,
    id: own.doi ?? `${file}::${key}`,
  }));

const fields = fc.record({
  title: fc.constantFrom(...TITLES),
  abstract: fc.constantFrom('', 'It rose. It fell.', 'It stood.'),
  year: fc.constantFrom(0, 2020, 2021, 2022),
  authors: fc.constantFrom<string[]>([], ['A. Berg'], ['Berg, Anna', 'B. Dahl'], ['B. Dahl']),
  venue: fc.constantFrom('', 'Shore', 'arXiv'),
  withheld: fc.constantFrom(undefined, undefined, 'retracted' as const, 'withdrawn' as const),
});

const paper = fc
  .tuple(fc.oneof(sourced, unsourced, personal), fields)
  .map(
    ([own, { withheld, ...rest }]): KeptRecord =>
      recordOf({ ...rest, ...own, ...(withheld === undefined ? {} : { withheld }) }),
  );

const abstract = fc
  .tuple(anyOf('s2'), fc.constantFrom('It rained.', 'It snowed. It melted.'))
  .map(([s2, text]) =>
    recordOf({ id: '', source: 's2', part: 'abstract', identifiers: { s2 }, abstract: text }),
  );

export const anyRecord: fc.Arbitrary<KeptRecord> = fc.oneof(
  { weight: 6, arbitrary: paper },
  { weight: 1, arbitrary: abstract },
);

function identifiers(): fc.Arbitrary<Identifiers> {
  return fc
    .record({
      doi: maybe(anyOf('doi')),
      arxiv: maybe(anyOf('arxiv')),
      pmid: maybe(anyOf('pmid')),
      s2: maybe(anyOf('s2')),
    })
    .map(
      (known) =>
        Object.fromEntries(
          Object.entries(known).filter(([, value]) => value !== undefined),
        ) as Identifiers,
    );
}
