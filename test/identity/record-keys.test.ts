import { describe, expect, it } from 'vitest';
import { hashKey, identifierKeysOf, nameOf, titleKeyOf } from '../../src/identity/record-keys.ts';
import { recordOf } from './records.ts';

const PAPER = recordOf({
  title: 'How the tides of the North Sea rise',
  authors: ['Ana van Dam'],
  year: 1998,
});

describe('titleKeyOf', () => {
  it.each([
    ['case and signs', { title: 'How the Tides of the North-Sea Rise!' }],
    ['white space', { title: ' How  the\ntides of the North Sea rise' }],
    ['marks on letters', { title: 'Hów the tïdes of the North Sea rise' }],
    ['the order of the names', { authors: ['van Dam, Ana', 'B. Dahl'] }],
    ['an initial', { authors: ['A. Dam'] }],
    ['a generation', { authors: ['Ana van Dam Jr.'] }],
    ['the year', { year: 2024 }],
  ])('does not depend on %s', (_, change) => {
    expect(titleKeyOf({ ...PAPER, ...change })).toBe(titleKeyOf(PAPER));
    expect(titleKeyOf(PAPER)).toBeDefined();
  });

  it.each([
    ['title', { title: 'How the tides of the South Sea rise' }],
    ['number in the title', { title: 'How the tides of the North Sea rise 2' }],
    ['first author', { authors: ['B. Dahl', 'Ana van Dam'] }],
  ])('differs for another %s', (_, change) => {
    expect(titleKeyOf({ ...PAPER, ...change })).not.toBe(titleKeyOf(PAPER));
  });

  it.each([
    ['a short title', { title: 'On tides of the sea' }],
    ['a title of signs', { title: '— … — … — … — … — … — … —' }],
    ['no author', { authors: [] }],
    ['an author without letters', { authors: ['—'] }],
    ['no year', { year: 0 }],
    ['an abstract alone', { part: 'abstract' as const }],
  ])('is undefined for %s', (_, change) => {
    expect(titleKeyOf({ ...PAPER, ...change })).toBeUndefined();
  });
});

describe('identifierKeysOf', () => {
  it('returns the id and all identifiers without duplicates', () => {
    const identifiers = { doi: '10.5555/a', arxiv: '2401.00001', pmid: '7' };
    expect(identifierKeysOf(recordOf({ id: 'x', identifiers }))).toEqual([
      ...['doi:10.5555/a', 'arxiv:2401.00001', 'pmid:7', 'id:x'],
    ]);
    expect(
      identifierKeysOf(recordOf({ id: '10.5555/A', identifiers: { doi: '10.5555/a' } })),
    ).toEqual(['doi:10.5555/a']);
  });

  it('finds the arXiv id in a preprint’s DOI', () => {
    const identifiers = { doi: '10.48550/arxiv.2401.00001' };
    expect(identifierKeysOf(recordOf({ id: 'x', identifiers }))).toContain('arxiv:2401.00001');
  });
});

describe('nameOf', () => {
  const identifiers = { doi: '10.5555/a', openalex: 'W1', s2: '5' };
  it.each([
    ['by the source’s own scheme', { source: 'openalex' as const }, 'openalex record openalex:W1'],
    ['by its id without one', {}, ' record id:x'],
    ['by its id where the scheme is missing', { source: 'pmid' as const }, 'pmid record id:x'],
    [
      'apart for an abstract',
      { source: 's2' as const, part: 'abstract' as const },
      's2 abstract s2:5',
    ],
    ['by the first identifier', { part: 'abstract' as const }, ' abstract doi:10.5555/a'],
  ])('names a record %s', (_, change, name) => {
    expect(nameOf(recordOf({ id: 'x', identifiers, ...change }))).toBe(name);
  });
});

describe('hashKey', () => {
  it('fits in 48 bits and depends on everything but case', () => {
    const hashes = Array.from({ length: 1000 }, (_, i) => hashKey(`doi:10.5555/${i}`));
    expect(new Set(hashes).size).toBe(1000);
    for (const hash of hashes) expect(Math.abs(hash)).toBeLessThanOrEqual(2 ** 47);
    expect(hashKey('id:Tides')).toBe(hashKey('id:tIDES'));
  });
});
