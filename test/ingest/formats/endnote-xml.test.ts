import { describe, expect, it } from 'vitest';
import { endnoteXmlFormat } from '../../../src/ingest/formats/endnote-xml.ts';
import { recognizeFormat } from '../../../src/ingest/formats.ts';
import { entriesOf, fixture, recognizes, recordOf, sourceOf } from '../read-format.ts';

describe('the endnote-xml format', () => {
  it('reads styled text', async () => {
    const content = fixture('endnote.xml');
    expect((await recognizeFormat(sourceOf(content))).name).toBe('endnote-xml');
    expect(await entriesOf(endnoteXmlFormat, content)).toEqual([
      {
        line: 1,
        document: {
          id: '10.5555/grass.91',
          title: 'Growth of Zostera & others',
          abstract: 'BACKGROUND: Grass grew.\n\nRESULTS: It stopped.',
          year: 2018,
          authors: ['Anna M. Berg', 'Shore Group'],
          venue: 'Shore Journal',
          identifiers: { doi: '10.5555/grass.91', pmid: '9900091', pmcid: 'PMC7700091' },
          updatedAt: 0,
        },
      },
      {
        line: 2,
        document: recordOf({
          id: '10.5555/mud.92',
          title: 'Mud',
          authors: ['C. Lind'],
          identifiers: { doi: '10.5555/mud.92' },
        }),
      },
      { line: 3, document: recordOf({ id: '', title: 'Sand' }) },
    ]);
  });

  it.each([
    [true, '<xml><records><record><titles/></record></records></xml>'],
    [false, '<xml><record/></xml>'],
    [false, '<OAI-PMH><record><titles/></record></OAI-PMH>'],
  ])('recognizes() returns %s for %s', (expected, content) => {
    expect(recognizes(endnoteXmlFormat, content)).toBe(expected);
  });
});
