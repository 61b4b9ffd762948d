import { describe, expect, it } from 'vitest';
import { documentVector } from '../../src/embed/document-vector.ts';
import { documentProblem, prepareDocument, withVectors } from '../../src/ingest/prepare.ts';
import type { SourceDocument } from '../../src/types.ts';

const DOCUMENT: SourceDocument = {
  ...{ id: 'a', title: 'Tides', abstract: ' It rose.  It fell.\n', year: 1998 },
  ...{ authors: ['A. Berg'], venue: 'Shore' },
};

const LIMITS = { titleCharactersMax: 10, abstractCharactersMax: 20, authorsMax: 2 };

const HASH = Buffer.alloc(16);

describe('documentProblem', () => {
  it.each<[what: string, change: Partial<SourceDocument>, problem: string | undefined]>([
    ['a whole document', {}, undefined],
    ['no id', { id: '' }, 'there is no id'],
    ['an id of 512 characters', { id: 'a'.repeat(512) }, undefined],
    ['a longer id', { id: 'a'.repeat(513) }, 'the id has 513 characters, at most 512 are taken'],
    ['no title', { title: '' }, undefined],
    ['no abstract', { abstract: '' }, undefined],
    ['neither', { title: ' ', abstract: '\n\u00a0' }, 'there is neither title nor abstract'],
    ['a title as long as may be', { title: 'a'.repeat(10) }, undefined],
    [
      'a longer title',
      { title: 'a'.repeat(11) },
      'the title has 11 characters, at most 10 are taken',
    ],
    [
      'a longer abstract',
      { abstract: 'a'.repeat(21) },
      'the abstract has 21 characters, at most 20 are taken',
    ],
    ['more authors', { authors: ['A', 'B', 'C'] }, 'there are 3 authors, at most 2 are taken'],
  ])('judges %s', (_, change, problem) => {
    expect(documentProblem({ ...DOCUMENT, ...change }, LIMITS)).toBe(problem);
  });
});

describe('prepareDocument', () => {
  it.each<[what: string, change: Partial<SourceDocument>, texts: string[]]>([
    ['the title and the sentences', {}, ['Tides', 'It rose.', 'It fell.']],
    ['the sentences where there is no title', { title: ' \n' }, ['It rose.', 'It fell.']],
    ['the title where there is no abstract', { abstract: ' \n' }, ['Tides']],
    ['the title as it is', { title: ' Tides ', abstract: '' }, [' Tides ']],
  ])('embeds %s', (_, change, texts) => {
    const source = { ...DOCUMENT, ...change };
    const prepared = prepareDocument(source, HASH);
    expect(prepared).toMatchObject({ source, hash: HASH, texts });
    const sentences = prepared.spans.map(({ start, end }) => source.abstract.slice(start, end));
    expect(sentences).toEqual(texts.filter((text) => text !== source.title));
  });
});

describe('withVectors', () => {
  const [title, first, second] = [vector(1, 0), vector(0, 1), vector(0.6, 0.8)];

  it('puts the own vector and the title’s in front of the sentences’', () => {
    const prepared = prepareDocument(DOCUMENT, HASH);
    const { vectors } = withVectors(prepared, [title, first, second]);
    expect(vectors).toEqual([documentVector(title, [first, second]), title, first, second]);
  });

  it('takes the own vector for the title’s where there is no title', () => {
    const prepared = prepareDocument({ ...DOCUMENT, title: '' }, HASH);
    const own = documentVector(undefined, [first, second]);
    expect(withVectors(prepared, [first, second]).vectors).toEqual([own, own, first, second]);
  });

  it('takes the title’s vector for the own where there is no abstract', () => {
    const prepared = prepareDocument({ ...DOCUMENT, abstract: '' }, HASH);
    expect(withVectors(prepared, [title]).vectors).toEqual([title, title]);
  });
});

function vector(...components: number[]): Float32Array {
  return Float32Array.from(components);
}
