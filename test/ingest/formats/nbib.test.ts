import { describe, expect, it } from 'vitest';
import { nbibFormat } from '../../../src/ingest/formats/nbib.ts';
import { entriesOf, fixture, recognizes, recordOf } from '../read-format.ts';

it('reads every pitfall of the fixture', async () => {
  expect(await entriesOf(nbibFormat, fixture('nbib.nbib'))).toEqual([
    {
      line: 2,
      document: recordOf({
        id: '10.5555/tides.2019.a',
        title: 'The uptake of CO2 by seagrass: a study that goes on to the next line.',
        abstract:
          'BACKGROUND: Seagrass takes up carbon. CONCLUSIONS: It takes up much - as we - show.',
        year: 2019,
        authors: ['Anna M Berg', 'Björn Lind Jr', 'Seagrass Working Group'],
        venue: 'Journal of invented tides',
        identifiers: { doi: '10.5555/tides.2019.a', pmid: '31000001', pmcid: 'PMC7000001' },
        updatedAt: Date.parse('2021-03-05T00:00:00Z'),
      }),
    },
    {
      line: 30,
      document: recordOf({
        id: '10.5555/letters.2',
        title: 'The tides of two seas.',
        year: 1998,
        authors: ['Holm C'],
        venue: 'Tidal Lett',
        identifiers: { doi: '10.5555/letters.2', pmid: '7000002' },
        withheld: 'retracted',
      }),
    },
  ]);
});

describe("PubMed's tagged lines", () => {
  it.each<[boolean, string, string]>([
    [true, 'a record', 'PMID- 31000001\nOWN - NLM\n'],
    [true, 'line ends of Windows', '\r\nPMID- 31000001\r\nTI  - Tides\r\n'],
    [false, 'RIS', 'TY  - JOUR\nAN  - 31000001\nER  - '],
    [false, "PubMed's summary", '1. Berg A. Tides. PMID: 31000001.'],
    [false, 'a word in its place', 'PMID- none\n'],
  ])('recognizes() returns %s for %s', (expected, _, content) => {
    expect(recognizes(nbibFormat, content)).toBe(expected);
  });

  it('may contain separators of lines within a field', async () => {
    const content = 'PMID- 1\nTI  - Tides\u2028of the bay\nAB  - It rose.\u2029It fell.\n';
    expect(await entriesOf(nbibFormat, content)).toMatchObject([
      { document: { title: 'Tides of the bay', abstract: 'It rose. It fell.' } },
    ]);
  });

  it('limit an error to its record', async () => {
    const content = Buffer.concat([
      Buffer.from('PMID- 1\nTI  - '),
      Buffer.from([0xe9]),
      Buffer.from('\n\nPMID- 2\nTI  - Good'),
    ]);
    const entries = await entriesOf(nbibFormat, content);
    expect(entries).toMatchObject([
      {
        line: 1,
        problem: expect.stringMatching(/^line 2: the line is not valid UTF-8/),
        reason: 'malformed',
      },
      { line: 4, document: { id: 'PMID:2', title: 'Good' } },
    ]);
  });
});
