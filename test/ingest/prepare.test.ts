import { describe, expect, it } from 'vitest';
import { dequantizeUnit, quantizeUnit } from '../../src/index/dense/embeddings.ts';
import { documentProblem, prepareDocument, withVectors } from '../../src/ingest/prepare.ts';
import { documentVector } from '../../src/text/embed/document-vector.ts';
import type { Embedding, SourceDocument, SourceRecord } from '../../src/types.ts';
import { recordOf } from '../identity/records.ts';
import { toyVector } from '../index/memory-index.ts';

const DOCUMENT: SourceDocument = {
  id: 'a',
  title: 'Tides',
  abstract: ' It rose.  It fell.\n',
  year: 1998,
  authors: ['A. Berg'],
  venue: 'Shore',
};

const LIMITS = { titleCharactersMax: 10, abstractCharactersMax: 20, authorsMax: 2 };

describe('documentProblem', () => {
  it.each<[what: string, change: Partial<SourceRecord>, problem: string | undefined]>([
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
    [
      'more ORCIDs',
      { details: { orcids: ['a', 'b', 'c'] } },
      'there are 3 authors, at most 2 are taken',
    ],
    ['more authors', { authors: ['A', 'B', 'C'] }, 'there are 3 authors, at most 2 are taken'],
  ])('judges %s', (_, change, problem) => {
    expect(documentProblem(recordOf({ ...DOCUMENT, ...change }), LIMITS)?.problem).toBe(problem);
  });
});

describe('prepareDocument', () => {
  it.each<[what: string, change: Partial<SourceDocument>, texts: string[]]>([
    ['the title and the sentences', {}, ['Tides', 'It rose.', 'It fell.']],
    ['the sentences where there is no title', { title: ' \n' }, ['It rose.', 'It fell.']],
    ['the title where there is no abstract', { abstract: ' \n' }, ['Tides']],
    ['no boilerplate', { abstract: 'It rose. © 2019 Berg AG.' }, ['Tides', 'It rose.']],
    ['no boilerplate behind a title', { abstract: '© 2019 Berg AG.' }, ['Tides']],
    [
      'boilerplate where there is nothing else',
      { title: '', abstract: '© 2019 Berg AG.' },
      ['© 2019 Berg AG.'],
    ],
    ['the title as it is', { title: ' Tides ', abstract: '' }, [' Tides ']],
  ])('embeds %s', (_, change, texts) => {
    const source = { ...DOCUMENT, ...change };
    const prepared = prepareDocument(source);
    expect(prepared).toMatchObject({ source, texts });
    const sentences = prepared.spans.map(({ start, end }) => source.abstract.slice(start, end));
    expect(sentences).toEqual(texts.filter((text) => text !== source.title));
  });

  it('leaves out the texts whose vectors are known', () => {
    const [title, fell] = [quantizeUnit(toyVector('Tides')), quantizeUnit(toyVector('It fell.'))];
    const known = new Map([
      ['Tides', title],
      ['It fell.', fell],
      ['It stood.', fell],
    ]);
    expect(prepareDocument(DOCUMENT, { known })).toMatchObject({
      units: [title, undefined, fell],
      texts: ['It rose.'],
    });
    expect(prepareDocument({ ...DOCUMENT, title: '' }, { known })).toMatchObject({
      units: [undefined, fell],
      texts: ['It rose.'],
    });
  });
});

describe('withVectors', () => {
  const texts = ['Tides', 'It rose.', 'It fell.'];
  const [title, first, second] = texts.map(toyVector) as [Embedding, Embedding, Embedding];
  /** As it comes back from where it is stored. */
  const rounded = (vector: Embedding): Embedding => dequantizeUnit(quantizeUnit(vector));

  it('computes the document vector from the stored vectors and puts the title first', () => {
    const { own, units } = withVectors(prepareDocument(DOCUMENT), [title, first, second]);
    expect(units).toEqual([title, first, second].map(quantizeUnit));
    expect(own).toEqual(documentVector(rounded(title), [first, second].map(rounded)));
  });

  it('uses the document vector as the title vector without a title', () => {
    const prepared = prepareDocument({ ...DOCUMENT, title: '' });
    const { own, units } = withVectors(prepared, [first, second]);
    expect(own).toEqual(documentVector(undefined, [first, second].map(rounded)));
    expect(units).toEqual([own, first, second].map(quantizeUnit));
  });

  it('uses the title vector as the document vector without an abstract', () => {
    const { own, units } = withVectors(prepareDocument({ ...DOCUMENT, abstract: '' }), [title]);
    expect(own).toEqual(documentVector(rounded(title), []));
    expect(units).toEqual([quantizeUnit(title)]);
  });

  it('is the same whichever of the vectors are known', () => {
    const whole = withVectors(prepareDocument(DOCUMENT), [title, first, second]);
    for (const kept of [[], ['Tides'], ['It rose.'], ['Tides', 'It fell.'], texts]) {
      const known = new Map(kept.map((text) => [text, quantizeUnit(toyVector(text))]));
      const prepared = prepareDocument(DOCUMENT, { known });
      expect(prepared.texts).toEqual(texts.filter((text) => !kept.includes(text)));
      expect(withVectors(prepared, prepared.texts.map(toyVector))).toEqual(whole);
    }
  });
});
