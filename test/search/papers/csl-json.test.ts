/** Papers as CSL-JSON, read again by the program's own reader. */
import { describe, expect, it } from 'vitest';
import { cslJsonFormat } from '../../../src/ingest/formats/csl-json.ts';
import { papersToCsl } from '../../../src/search/papers/write-csl-json.ts';
import { entriesOf } from '../../ingest/read-format.ts';
import { PREPRINT, TIDES } from './papers.ts';

describe('papers as CSL-JSON', () => {
  it('say the same when they are read again', async () => {
    const { title, abstract, year, venue, identifiers } = TIDES;
    const text = JSON.stringify(papersToCsl([TIDES, PREPRINT]));
    expect(await entriesOf(cslJsonFormat, text)).toMatchObject([
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

  it('have no field that is not known', () => {
    expect(papersToCsl([PREPRINT])).toEqual([
      {
        id: 'arXiv:2401.00001',
        type: 'article',
        title: 'Moons',
        archive: 'arXiv',
        archive_location: '2401.00001',
        URL: 'https://arxiv.org/abs/2401.00001',
      },
    ]);
  });
});
