import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeTermVector,
  encodeTermVector,
  findTerm,
} from '../../src/index/lexical/term-vectors.ts';
import {
  type Bm25Parameters,
  inverseDocumentFrequency,
  saturate as saturateAt,
  smoothedDocumentFrequency,
} from '../../src/search/bm25.ts';
import { termOf } from '../../src/text/terms.ts';

/** The saturated frequency of a term that occurs this often in title and abstract. */
function saturate(
  { inTitle, inAbstract }: { inTitle: number; inAbstract: number },
  length: number,
  parameters: Bm25Parameters,
): number {
  const abstract = `mice ${'sleep '.repeat(inAbstract)}`;
  const spans = [{ start: 0, end: abstract.length }];
  const terms = decodeTermVector(encodeTermVector('sleep '.repeat(inTitle), abstract, spans));
  const at = findTerm(terms, termOf('sleep'));
  return at < 0 ? 0 : saturateAt(terms, at, length, parameters);
}

const PARAMETERS = { k1: 0.9, b: 0.75, title: 2 };

describe('inverseDocumentFrequency', () => {
  it.each([
    ['one of ten', 1, 10, Math.log(9.5 / 1.5)],
    ['none of ten', 0, 10, Math.log(10.5 / 0.5)],
    ['half of them', 5, 10, 1e-6],
    ['all of them', 10, 10, 1e-6],
    ['an empty index', 0, 0, 1e-6],
  ])('is correct for a term in %s', (_, frequency, documents, expected) => {
    expect(inverseDocumentFrequency(frequency, documents)).toBeCloseTo(expected, 12);
  });
});

describe('smoothedDocumentFrequency', () => {
  it.each([
    ['one of ten', 1, 10, Math.log(1 + 9.5 / 1.5)],
    ['all of ten', 10, 10, Math.log(1 + 0.5 / 10.5)],
    ['an empty index', 0, 0, Math.log(2)],
  ])('is correct for a term in %s', (_, frequency, documents, expected) => {
    expect(smoothedDocumentFrequency(frequency, documents)).toBeCloseTo(expected, 12);
  });

  it('falls with the frequency and stays positive, with and without smoothing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.nat(1e6), (documents, drawn) => {
        const frequency = drawn % documents;
        for (const idf of [smoothedDocumentFrequency, inverseDocumentFrequency]) {
          expect(idf(frequency + 1, documents)).toBeGreaterThan(0);
          expect(idf(frequency + 1, documents)).toBeLessThanOrEqual(idf(frequency, documents));
        }
      }),
    );
  });
});

describe('saturate', () => {
  it.each([
    ['no occurrence', { inTitle: 0, inAbstract: 0 }, 1, 0],
    ['one occurrence in a document of mean length', { inTitle: 0, inAbstract: 1 }, 1, 1.9 / 1.9],
    ['one occurrence in the title', { inTitle: 1, inAbstract: 0 }, 1, 3.8 / 2.9],
    ['occurrences in title and abstract', { inTitle: 1, inAbstract: 3 }, 1, (5 * 1.9) / 5.9],
    ['a long document', { inTitle: 0, inAbstract: 1 }, 3, 1.9 / (1 + 0.9 * 2.5)],
    ['a document of length 0', { inTitle: 0, inAbstract: 1 }, 0, 1.9 / (1 + 0.9 * 0.25)],
  ])('is correct for %s', (_, entry, length, expected) => {
    expect(saturate(entry, length, PARAMETERS)).toBeCloseTo(expected, 12);
  });

  it('grows with each occurrence, stays below k1 + 1, and is lower in a longer document', () => {
    const count = fc.integer({ min: 0, max: 254 });
    const length = fc.double({ min: 0, max: 100, noNaN: true });
    fc.assert(
      fc.property(count, count, length, (inTitle, inAbstract, share) => {
        const value = saturate({ inTitle, inAbstract }, share, PARAMETERS);
        const more = saturate({ inTitle, inAbstract: inAbstract + 1 }, share, PARAMETERS);
        expect(more).toBeGreaterThan(value);
        expect(more).toBeLessThan(PARAMETERS.k1 + 1);
        expect(saturate({ inTitle, inAbstract }, share + 1, PARAMETERS)).toBeLessThanOrEqual(value);
      }),
    );
  });
});
