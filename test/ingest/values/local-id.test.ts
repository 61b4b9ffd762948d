/** What records of tables and personal bibliographies are called. */
import { describe, expect, it } from 'vitest';
import { createLocalIds } from '../../../src/ingest/values/local-id.ts';
import type { SourceRecord } from '../../../src/types.ts';
import { recordOf } from '../read-format.ts';

const idsOf = (records: readonly Partial<SourceRecord>[], source = 'refs.bib'): string[] => {
  const withId = createLocalIds(source);
  return records.map((fields) => withId(recordOf(fields)).id);
};

describe('the id of a record', () => {
  it.each<[what: string, records: Partial<SourceRecord>[], ids: string[]]>([
    ['of its identifiers', [{ id: '10.5555/a', identifiers: { doi: '10.5555/a' } }], ['10.5555/a']],
    ['of its file', [{ id: '7', title: 'Tides' }], ['refs.bib::7']],
    ['of its file, without blanks', [{ id: ' berg  2020 ', title: 'T' }], ['refs.bib::berg-2020']],
    [
      'of its file, and of its title where another one had the name',
      [
        { id: 'a', title: 'Tides' },
        { id: 'a', title: 'Moons' },
        { id: 'a', title: 'tides.' },
      ],
      ['refs.bib::a', expect.stringMatching(/^refs\.bib::a-[0-9a-f]{8}$/), 'refs.bib::a'],
    ],
    [
      'of its title where it has no name',
      [{ title: 'Tides' }],
      [expect.stringMatching(/^refs\.bib::[0-9a-f]{16}$/)],
    ],
    ['nothing where it has neither', [{ abstract: 'It rose.' }], ['']],
    ['a name although there is no title', [{ id: '1' }], ['refs.bib::1']],
    ['not that of OpenAlex where it is a citation key', [{ id: 'W99' }], ['refs.bib::W99']],
  ])('is %s', (_, records, ids) => {
    expect(idsOf(records)).toEqual(ids);
  });

  it.each([
    ['https://openalex.org/W2741809807', 'W2741809807', { openalex: 'W2741809807' }],
    ['doi:10.5555/A', '10.5555/a', { doi: '10.5555/a' }],
    ['PMID: 31000001', 'PMID:31000001', { pmid: '31000001' }],
    ['PMC7000001', 'PMC7000001', { pmcid: 'PMC7000001' }],
    ['2510.06265v2', 'arXiv:2510.06265', { arxiv: '2510.06265' }],
    ['math/0309136', 'arXiv:math/0309136', { arxiv: 'math/0309136' }],
    ['CorpusId:77', 'CorpusId:77', { s2: '77' }],
  ])('is known everywhere where its name is the identifier %s', (name, id, identifiers) => {
    expect(createLocalIds('refs.csv')(recordOf({ id: name, title: 'Tides' }))).toEqual(
      recordOf({ id, identifiers, title: 'Tides' }),
    );
  });

  it.each(['pmid', 'W', 'arXiv', '2401.00001', 'CorpusId'])(
    'is no identifier in a file that is called %s',
    (source) => {
      const withId = createLocalIds(source);
      expect(withId(recordOf({ id: '7', title: 'Tides' }))).toMatchObject({
        id: `${source}::7`,
        identifiers: {},
      });
    },
  );
});
