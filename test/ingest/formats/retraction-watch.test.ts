import { describe, expect, it } from 'vitest';
import { csvFormat } from '../../../src/ingest/formats/csv.ts';
import { retractionWatchFormat } from '../../../src/ingest/formats/retraction-watch.ts';
import { recognizeFormat } from '../../../src/ingest/formats.ts';
import { entriesOf, fixture, recognizes, sourceOf } from '../read-format.ts';

describe("the format of Retraction Watch's table", () => {
  it('reads each kind of notice', async () => {
    expect(await entriesOf(retractionWatchFormat, fixture('retraction-watch.csv'))).toEqual([
      {
        line: 2,
        supplement: {
          identifiers: { doi: '10.5555/tides', pmid: '31000001' },
          abstract: '',
          withheld: 'retracted',
          announced: {
            name: 'retraction-watch:1',
            notice: { kind: 'retraction', date: '2021-01-23', id: '10.5555/tides.notice' },
          },
        },
      },
      {
        line: 3,
        supplement: {
          identifiers: { doi: '10.5555/moons' },
          abstract: '',
          announced: {
            name: 'retraction-watch:2',
            notice: { kind: 'expression_of_concern', date: '2020-12-01', id: 'PMID:31000009' },
          },
        },
      },
      {
        line: 4,
        supplement: {
          identifiers: { pmid: '31000003' },
          abstract: '',
          announced: {
            name: 'retraction-watch:3',
            notice: { kind: 'correction', date: '', id: '' },
          },
        },
      },
      {
        line: 5,
        problem: 'the row has neither the DOI nor the PMID of a paper',
        reason: 'without_id',
      },
      {
        line: 6,
        problem:
          'the nature "rumor" is none of retraction, correction, expression of concern, reinstatement',
        reason: 'malformed',
      },
    ]);
  });

  it('is recognized before other tables', async () => {
    const content = fixture('retraction-watch.csv');
    expect(recognizes(csvFormat, content)).toBe(true);
    expect((await recognizeFormat(sourceOf(content))).name).toBe('retraction-watch');
    expect(recognizes(retractionWatchFormat, 'id,title,abstract\n1,Tides,It rose.\n')).toBe(false);
  });
});
