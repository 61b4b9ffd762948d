import { describe, expect, it } from 'vitest';
import { europepmcFormat } from '../../../src/ingest/formats/europepmc.ts';
import { recognizeFormat } from '../../../src/ingest/formats.ts';
import { entriesOf, fixture, recognizes, recordOf, sourceOf } from '../read-format.ts';

const EXPECTED = [
  {
    document: {
      id: '10.5555/sand.61',
      title: 'Sand in CO2-rich water.',
      abstract: expect.stringMatching(
        /^Background:?\n\nSand moves\.\n\nResults:?\n\nIt stopped\.$/,
      ),
      year: 2019,
      authors: ['Anna Berg', 'Dahl B', 'Shore Group'],
      venue: 'Shore letters',
      identifiers: { doi: '10.5555/sand.61', pmid: '9900061', pmcid: 'PMC7700061' },
      updatedAt: 0,
    },
  },
  {
    document: recordOf({
      id: '10.5555/ppr.61',
      title: 'Mud',
      year: 2021,
      authors: ['Lind C', 'Berg A'],
      identifiers: { doi: '10.5555/ppr.61' },
      withheld: 'retracted',
    }),
  },
  { supplement: { identifiers: { pmid: '9900001' }, abstract: '', withheld: 'retracted' } },
  { problem: 'not a paper but a patent', reason: 'not_a_paper' },
  { document: recordOf({ id: 'EuropePMC:AGR/C61', year: 1990, venue: 'Field notes' }) },
];

describe('the europepmc format', () => {
  it.each(['europepmc.json', 'europepmc.xml'])('reads %s', async (name) => {
    const content = fixture(name);
    expect((await recognizeFormat(sourceOf(content))).name).toBe('europepmc');
    const entries = await entriesOf(europepmcFormat, content);
    expect(entries.map(({ line: _, ...entry }) => entry)).toEqual(EXPECTED);
  });

  it('reads a one-line response and single results', async () => {
    const answer = JSON.parse(fixture('europepmc.json').toString());
    const contents = [JSON.stringify(answer), JSON.stringify(answer.resultList.result)];
    for (const content of contents) {
      expect(recognizes(europepmcFormat, content)).toBe(true);
      expect(await entriesOf(europepmcFormat, content)).toHaveLength(EXPECTED.length);
    }
  });

  it.each([
    [false, '{"id": "a", "source": "b", "title": "c"}'],
    [false, '<results><result/></results>'],
    [true, '<responseWrapper></responseWrapper>'],
  ])('recognizes() returns %s for %s', (expected, content) => {
    expect(recognizes(europepmcFormat, content)).toBe(expected);
  });
});
