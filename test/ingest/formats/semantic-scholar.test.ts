import { describe, expect, it } from 'vitest';
import { s2AbstractsFormat } from '../../../src/ingest/formats/s2-abstracts.ts';
import { s2PapersFormat } from '../../../src/ingest/formats/s2-papers.ts';
import { s2orcFormat } from '../../../src/ingest/formats/s2orc.ts';
import { jsonLines } from '../index-files.ts';
import { entriesOf, fixture, recognizes, recordOf } from '../read-format.ts';

describe('the s2-papers format', () => {
  it('reads papers', async () => {
    expect(await entriesOf(s2PapersFormat, fixture('s2-papers.jsonl'))).toEqual([
      {
        line: 1,
        document: recordOf({
          id: '10.18653/v1/p19-1001',
          title: 'Tides & texts',
          year: 2019,
          authors: ['Anna Berg', 'Bo Dahl'],
          venue: 'Annual Meeting',
          identifiers: {
            doi: '10.18653/v1/p19-1001',
            arxiv: '1901.00001',
            acl: 'P19-1001',
            s2: '11',
          },
        }),
      },
      {
        line: 2,
        document: recordOf({
          id: 'PMID:31000001',
          title: 'No year',
          venue: 'Journal of Shores',
          identifiers: { pmid: '31000001', pmcid: 'PMC6500001', s2: '12' },
        }),
      },
      {
        line: 3,
        document: recordOf({
          id: 'CorpusId:13',
          title: 'A text as id',
          year: 2001,
          identifiers: { s2: '13' },
        }),
      },
      { line: 4, problem: '"year" must be a year, not "n.d."', reason: 'malformed' },
      {
        line: 5,
        document: recordOf({ id: 'CorpusId:15', year: 2001, identifiers: { s2: '15' } }),
      },
    ]);
  });
});

describe('the s2-abstracts format', () => {
  it('reads abstracts to be joined', async () => {
    expect(await entriesOf(s2AbstractsFormat, fixture('s2-abstracts.jsonl'))).toEqual([
      {
        line: 1,
        supplement: {
          identifiers: {
            doi: '10.18653/v1/p19-1001',
            arxiv: '1901.00001',
            acl: 'P19-1001',
            s2: '11',
          },
          abstract: 'The sea\nrises. \ufffd',
        },
      },
      { line: 2, supplement: { identifiers: { s2: '12' }, abstract: 'It fell.' } },
      { line: 3, problem: 'there is no abstract', reason: 'without_text' },
      { line: 4, problem: 'there is no corpus id', reason: 'without_id' },
      { line: 5, problem: '"abstract" must be a string, not an array', reason: 'malformed' },
    ]);
  });
});

describe('the data sets of Semantic Scholar', () => {
  const long = 'a'.repeat(200_000);
  const ids = { openaccessinfo: { externalids: {} } };

  it.each([
    ['papers', { corpusid: 1, externalids: {}, title: 'Tides', year: 2001 }, 's2-papers'],
    ['abstracts', { corpusid: 1, ...ids, abstract: 'It rose.' }, 's2-abstracts'],
    ['an empty abstract', { corpusid: 1, ...ids, abstract: null }, 's2-abstracts'],
    ['full texts', { corpusid: 1, title: 'Tides', ...ids, body: { text: 'It rose.' } }, 's2orc'],
    ['long full texts', { corpusid: 1, title: 'Tides', ...ids, body: { text: long } }, 's2orc'],
    ['full texts, version 1', { corpusid: 1, externalids: {}, content: { text: '' } }, 's2orc'],
    ['long ones, version 1', { corpusid: 1, externalids: {}, content: { text: long } }, 's2orc'],
    ['authors', { authorid: 1, externalids: {}, name: 'Anna Berg' }, undefined],
    ['citations', { citationid: 1, citingcorpusid: 1, citedcorpusid: 2 }, undefined],
    ['one-sentence summaries', { corpusid: 1, model: 'x', text: 'It rose.' }, undefined],
  ])('are recognized by their records: %s', (_, record, name) => {
    const all = [s2PapersFormat, s2AbstractsFormat, s2orcFormat];
    const content = jsonLines([record]).slice(0, 64 * 1024);
    const found = all.filter((format) => recognizes(format, content, content.endsWith('\n')));
    expect(found.map((format) => format.name)).toEqual(name === undefined ? [] : [name]);
  });
});
