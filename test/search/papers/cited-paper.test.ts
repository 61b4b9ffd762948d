import { describe, expect, it } from 'vitest';
import { writeCitation } from '../../../src/search/papers/cited-paper.ts';
import type { Citation } from '../../../src/types.ts';

const citation: Citation = {
  d: '10.5555/tides',
  t: 'Tides & currents',
  y: 1998,
  a: ['Anna Berg'],
  s: 0.8,
  q: 'Tides rise.',
  ab: 'Tides rise. They fall.',
  src: 'corpus',
  venue: 'Proceedings of the Shore',
  authors: ['Anna Berg', 'Bo Dahl'],
  identifiers: { doi: '10.5555/tides' },
  type: 'conference-paper',
};

describe('a search result', () => {
  it('becomes an entry of each format with all authors', () => {
    const { bibtex, ris, csl } = writeCitation(citation);
    expect(bibtex).toMatch(/^@inproceedings\{berg1998tides,\n/);
    expect(bibtex).toContain('author = {Berg, Anna and Dahl, Bo}');
    expect(bibtex).toContain('Tides \\& currents');
    expect(ris).toContain('TY  - CONF\n');
    expect(ris).toContain('AU  - Dahl, Bo\n');
    expect(ris).toContain('DO  - 10.5555/tides\n');
    expect(JSON.parse(csl)).toMatchObject([
      { id: '10.5555/tides', type: 'paper-conference', DOI: '10.5555/tides' },
    ]);
  });

  it('without extras becomes one with what it has', () => {
    const { d, t, y, a, s, q, src } = citation;
    const { bibtex, csl } = writeCitation({ d, t, y, a, s, q, src });
    expect(bibtex).toContain('author = {Berg, Anna}');
    expect(JSON.parse(csl)[0]).not.toHaveProperty('abstract');
  });
});
