import { describe, expect, it } from 'vitest';
import { arxivAtomFormat } from '../../../src/ingest/formats/arxiv-atom.ts';
import { recognizeFormat } from '../../../src/ingest/formats.ts';
import { entriesOf, fixture, recognizes, recordOf, sourceOf } from '../read-format.ts';

describe('the arxiv-atom format', () => {
  it('reads the entries of a feed', async () => {
    const content = fixture('arxiv-atom.xml');
    expect((await recognizeFormat(sourceOf(content))).name).toBe('arxiv-atom');
    expect(await entriesOf(arxivAtomFormat, content)).toEqual([
      {
        line: 8,
        document: {
          id: '10.5555/tides.41',
          title: 'Tides in shallow seas',
          abstract: 'We measure tides with $\\alpha < 5$ at two shores.',
          year: 2023,
          authors: ['Anna Berg', 'Bo Lind'],
          venue: 'J. Shores 4 (2024) 1-5',
          identifiers: { doi: '10.5555/tides.41', arxiv: '2401.00041' },
          updatedAt: Date.UTC(2024, 4, 6, 10),
        },
      },
      {
        line: 25,
        document: recordOf({
          id: 'arXiv:math/0309142',
          title: 'On tides',
          year: 2003,
          authors: ['Cai Holm'],
          abstract: 'This paper has been withdrawn by the authors.',
          identifiers: { arxiv: 'math/0309142' },
          withheld: 'withdrawn',
        }),
      },
      {
        line: 32,
        reason: 'malformed',
        problem: 'not a paper but an error of the interface: incorrect id format for 1234',
      },
    ]);
  });

  it.each([
    [true, '<feed><id>http://arxiv.org/api/a</id></feed>'],
    [true, '<entry><id>https://export.arxiv.org/abs/2401.00001</id></entry>'],
    [false, '<feed><id>https://example.org/</id><link href="http://arxiv.org/"/></feed>'],
    [false, '<OAI-PMH><id>http://arxiv.org/</id></OAI-PMH>'],
  ])('recognizes() returns %s for %s', (expected, content) => {
    expect(recognizes(arxivAtomFormat, content)).toBe(expected);
  });
});
