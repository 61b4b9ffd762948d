import { describe, expect, it } from 'vitest';
import { formatCitation } from '../../src/search/format-citation.ts';

const ADDRESS = 'https://doi.org/10.5555/tides';
const paper = {
  id: '10.5555/tides',
  title: 'Tides',
  year: 1998,
  authors: ['A. Berg', 'B. Dahl'],
  venue: 'Shore',
};

describe('formatCitation', () => {
  it.each<[fields: Partial<typeof paper>, citation: string]>([
    [{}, `A. Berg, B. Dahl (1998). Tides. Shore. ${ADDRESS}`],
    [{ year: 0 }, `A. Berg, B. Dahl (n.d.). Tides. Shore. ${ADDRESS}`],
    [{ title: 'Why tides?' }, `A. Berg, B. Dahl (1998). Why tides? Shore. ${ADDRESS}`],
    [{ title: ' Tides\n rise. ' }, `A. Berg, B. Dahl (1998). Tides rise. Shore. ${ADDRESS}`],
    [{ venue: '' }, `A. Berg, B. Dahl (1998). Tides. ${ADDRESS}`],
    [{ authors: [] }, `Tides (1998). Shore. ${ADDRESS}`],
    [{ authors: ['A', 'B', 'C'] }, `A, B, C (1998). Tides. Shore. ${ADDRESS}`],
    [{ authors: ['A', 'B', 'C', 'D'] }, `A, B, C, et al. (1998). Tides. Shore. ${ADDRESS}`],
    [{ title: '', authors: [], venue: '' }, `(1998). ${ADDRESS}`],
  ])('of a paper with %j', (fields, citation) => {
    expect(formatCitation({ ...paper, ...fields }, ADDRESS)).toBe(citation);
  });

  it('ends with the id if there is no address', () => {
    expect(formatCitation({ ...paper, id: 'tides-7' }, undefined)).toMatch(/Shore\. tides-7$/);
  });
});
