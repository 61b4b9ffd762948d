import { describe, expect, it } from 'vitest';
import { personalSource } from '../../src/identity/kept-record.ts';
import { sourceBit, sourceNames, sourcesNamed } from '../../src/identity/source-names.ts';

describe('sources by their names', () => {
  it('have bits of their own, and a name each', () => {
    const bits = sourceNames.map((name) => sourcesNamed([name]).bits);
    expect(new Set(bits).size).toBe(sourceNames.length);
    for (const bit of bits) expect(Math.log2(bit) % 1).toBe(0);
    expect(sourcesNamed(['pubmed', 'semantic_scholar']).bits).toBe(
      sourceBit('pmid') | sourceBit('s2'),
    );
  });

  it('may be tables and bibliographies, which have none', () => {
    expect(sourceBit(personalSource('refs.bib'))).toBe(0);
    expect(sourceBit('retraction-watch')).toBe(0);
    const { bits, personal } = sourcesNamed(['refs.bib']);
    expect([bits, personal]).toEqual([0, [personalSource('refs.bib')]]);
  });

  it('keep their places, which indexes store', () => {
    expect(sourceNames.slice(0, 4)).toEqual(['openalex', 'arxiv', 'semantic_scholar', 's2orc']);
    expect(sourceBit('')).toBe(2 ** 12);
  });
});
