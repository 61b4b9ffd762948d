/** Filters by author and by the beginning of a DOI, compared with a look at each record. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wantedAuthorKeys } from '../../../src/identity/author-keys.ts';
import type { KeptRecord } from '../../../src/identity/kept-record.ts';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import { createFacetReader } from '../../../src/index/facets/allowed-documents.ts';
import { recordOf } from '../../identity/records.ts';
import { testSeed } from '../../support/random.ts';
import { expectSound, memoryIndex } from '../memory-index.ts';
import { arrive, takeBack } from '../toy-incoming-records.ts';

const NAMES = ['a', 'b', 'c', 'd'];
const ORCIDS = ['0000-0002-1825-0097', '0000-0002-1694-233X'];
const AUTHORS = ['Ana Silva', 'Silva, Ana', 'Bo Dahl', 'B. Dahl', 'C. D. Berg', 'Berg CD'];
const PREFIXES = ['10.5555/', '10.55551/', '10.5555/a', '10.5555/b.'];

const doiOf = (name: string): string => `10.5555/${name}`;

/** A paper arrives, which two others may be merged with by a second identifier, or is taken back. */
const anyStep = fc.record({
  kind: fc.constantFrom('arrive', 'arrive', 'arrive', 'merge', 'delete', 'remove'),
  name: fc.constantFrom(...NAMES),
  other: fc.constantFrom(...NAMES),
  authors: fc.uniqueArray(fc.constantFrom(...AUTHORS), { maxLength: 3 }),
  orcids: fc.uniqueArray(fc.constantFrom(...ORCIDS)),
});

it('a filter by author or DOI allows the papers whose records say so', () => {
  const property = fc.property(fc.array(anyStep, { maxLength: 14 }), (steps) => {
    const db = memoryIndex();
    const writer = createIndexWriter(db);
    for (const [at, { kind, name, other, authors, orcids }] of steps.entries()) {
      const doi = doiOf(name);
      if (kind === 'delete') takeBack(writer, 'doi', { doi });
      else if (kind === 'remove') writer.remove([doi]);
      else {
        const isMerge = kind === 'merge';
        arrive(
          writer,
          recordOf({
            id: isMerge ? `W${name}${other}` : doi,
            title: `On ${name}`,
            source: isMerge ? 'openalex' : 'doi',
            identifiers: isMerge ? { doi, pmid: other } : { doi },
            authors,
            details: { orcids },
            updatedAt: at + 1,
          }),
        );
      }
    }
    expectSound(db);
    const rows = db
      .prepare(
        `SELECT d.number, d.id, ifnull(json_extract(fields, '$.authors'), authors) AS authors, details
         FROM source_records r JOIN documents d ON d.number = r.document WHERE part IS NULL`,
      )
      .all() as { number: number; id: string; authors: string; details: string }[];
    const allowed = (filter: Parameters<ReturnType<typeof createFacetReader>>[0]): number[] => {
      const { flags } = createFacetReader(db)(filter);
      return [...flags.keys()].filter((document) => flags[document] === 1);
    };
    const expected = (test: (row: (typeof rows)[number]) => boolean): number[] =>
      [...new Set(rows.filter(test).map(({ number }) => number))].sort((a, b) => a - b);
    for (const author of [...AUTHORS, ...ORCIDS]) {
      const [wanted] = wantedAuthorKeys([author]);
      const isOf = ({ authors, details }: (typeof rows)[number]): boolean => {
        const { orcids = [] } = JSON.parse(details) as NonNullable<KeptRecord['details']>;
        const all = [...(JSON.parse(authors) as string[]), ...orcids];
        return all.some((one) => wantedAuthorKeys([one])[0] === wanted);
      };
      expect(allowed({ authors: [author] }), author).toEqual(expected(isOf));
    }
    for (const prefix of PREFIXES) {
      expect(allowed({ doiPrefixes: [prefix] }), prefix).toEqual(
        expected(({ id }) => id.startsWith(prefix)),
      );
    }
  });
  fc.assert(property, { numRuns: 200, seed: testSeed() });
});
