import { describe, expect, it } from 'vitest';
import { s2orcMetadataFormat } from '../../../src/ingest/formats/s2orc-metadata.ts';
import { recognizeFormat } from '../../../src/ingest/formats.ts';
import { jsonLines } from '../index-files.ts';
import { entriesOf, fixture, recordOf, sourceOf } from '../read-format.ts';

describe('the s2orc-metadata format', () => {
  it('reads records that resemble our own format', async () => {
    const content = fixture('s2orc-metadata.jsonl');
    expect((await recognizeFormat(sourceOf(content))).name).toBe('s2orc-metadata');
    expect(await entriesOf(s2orcMetadataFormat, content)).toEqual([
      {
        line: 1,
        document: {
          id: '10.5555/weed.71',
          title: 'Weed and sand',
          abstract: 'Weed grows. It dies.',
          year: 2014,
          authors: ['Anna M. Berg Jr.'],
          venue: 'Shore Letters',
          identifiers: {
            doi: '10.5555/weed.71',
            arxiv: '1401.00071',
            pmid: '9900071',
            pmcid: 'PMC7700071',
            s2: '7771',
          },
          updatedAt: 0,
        },
      },
      {
        line: 2,
        document: recordOf({
          id: 'CorpusId:7772',
          title: 'Mud',
          venue: 'Shores',
          identifiers: { s2: '7772' },
        }),
      },
    ]);
  });

  it('leaves our own records with a paper_id to our format', async () => {
    const content = jsonLines([{ id: 'a', title: 'Tides', paper_id: '7' }]);
    expect((await recognizeFormat(sourceOf(content))).name).toBe('verbatim');
  });
});
