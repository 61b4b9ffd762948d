import { describe, expect, it } from 'vitest';
import { s2orcFormat } from '../../../src/ingest/formats/s2orc.ts';
import { jsonLines } from '../index-files.ts';
import { entriesOf, fixture, recordOf } from '../read-format.ts';

describe('the s2orc format', () => {
  it('reads full texts', async () => {
    expect(await entriesOf(s2orcFormat, fixture('s2orc.jsonl'))).toEqual([
      {
        line: 1,
        document: recordOf({
          id: '10.5555/full.1',
          title: 'Tides of the sea',
          // The annotations count each of these characters as one.
          abstract: 'The sea 🌊 rises. It falls.',
          authors: ['Anna Berg', 'Bo C. Dahl'],
          identifiers: { doi: '10.5555/full.1', s2: '21' },
        }),
      },
      { line: 2, document: paper('22', 'No marked abstract', 'A first paragraph 🌊 here.') },
      {
        line: 3,
        document: recordOf({
          id: 'arXiv:2001.00001',
          title: 'Shores',
          abstract: 'Sand moves.\n\nIt stays.',
          identifiers: { arxiv: '2001.00001', s2: '23' },
          updatedAt: Date.UTC(2022, 4, 1, 10),
        }),
      },
      { line: 4, document: paper('24', 'Nothing marked', '') },
      { line: 5, document: paper('25', 'Beyond the end', 'text.') },
      malformed(6, expect.stringContaining('not JSON: ')),
      malformed(7, 'the annotation "abstract" must have a start and an end'),
      malformed(8, 'the annotation "paragraph" must be an array'),
      malformed(9, 'annotations overlap'),
      { line: 10, document: paper('30', 'Backwards', 'Some') },
      malformed(11, 'nested deeper than 100 levels'),
    ]);
  });

  it('reads only the first paragraph of the abstract', async () => {
    const text = 'a 😀 b. '.repeat(1000);
    const spans = Array.from({ length: 1000 }, (_, i) => ({ start: i * 7, end: i * 7 + 6 }));
    const annotations = { paragraph: JSON.stringify(spans) };
    const record = { corpusid: 1, title: 'Many', body: { text, annotations } };
    const [entry] = await entriesOf(s2orcFormat, jsonLines([record]));
    expect(entry).toMatchObject({ document: { abstract: 'a 😀 b.' } });
  });
});

function paper(s2: string, title: string, abstract: string) {
  return recordOf({ id: `CorpusId:${s2}`, title, abstract, identifiers: { s2 } });
}

function malformed(line: number, problem: unknown) {
  return { line, problem, reason: 'malformed' };
}
