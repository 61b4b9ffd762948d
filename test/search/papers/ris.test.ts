/** Papers as RIS, read again by the program's own reader. */
import { describe, expect, it } from 'vitest';
import { risFormat } from '../../../src/ingest/formats/ris.ts';
import { papersToRis } from '../../../src/search/papers/write-ris.ts';
import { entriesOf } from '../../ingest/read-format.ts';
import { PREPRINT, TIDES } from './papers.ts';

describe('papers as RIS', () => {
  it('say the same when they are read again', async () => {
    const { title, abstract, year, venue, identifiers } = TIDES;
    const entries = await entriesOf(risFormat, papersToRis([TIDES, PREPRINT]));
    expect(entries).toMatchObject([
      {
        document: {
          title,
          abstract,
          year,
          venue,
          identifiers,
          authors: [
            ...['Anna Berg', 'Jan van der Dahl', 'Martin King Jr.', 'ATLAS Collaboration'],
            'E Falk',
          ],
        },
      },
      { document: { title: 'Moons', year: 0, identifiers: PREPRINT.identifiers } },
    ]);
  });

  it('are records as reference managers write them', () => {
    expect(papersToRis([TIDES]).split('\n').slice(0, 6)).toEqual([
      'TY  - JOUR',
      'TI  - Tides & currents: 5% of DNA at the shore',
      'AU  - Berg, Anna',
      'AU  - van der Dahl, Jan',
      'AU  - King, Martin, Jr.',
      'AU  - ATLAS Collaboration',
    ]);
    expect(papersToRis([PREPRINT])).toBe(
      'TY  - UNPB\nTI  - Moons\nUR  - https://arxiv.org/abs/2401.00001\nID  - arXiv:2401.00001\nER  - \n',
    );
  });

  it('keep each value on its line, so that no text ends the record', async () => {
    const abstract = 'It rose.\nER  - \nTY  - JOUR\r\nTI  - Another';
    const entries = await entriesOf(risFormat, papersToRis([{ ...TIDES, abstract }]));
    expect(entries).toMatchObject([
      { document: { abstract: 'It rose. ER - TY - JOUR TI - Another' } },
    ]);
  });
});
