import { describe, expect, it } from 'vitest';
import { createLateInteraction, EXACT_MATCH } from '../../src/search/late-interaction.ts';
import { parseQuery, weightQuery } from '../../src/search/weight-query.ts';
import { parseTermEmbeddings, type TermEmbeddings } from '../../src/text/embed/term-embeddings.ts';
import type { WordEmbedding } from '../../src/text/embed/word-embeddings.ts';
import { encodeTermEmbeddings, oneHot } from '../support/term-embeddings.ts';
import { candidateOf, statisticsOf } from './toy-candidates.ts';

const statistics = statisticsOf(['tide', 'moon', 'sleep', 'mice', 'zirconium']);
/** Each word points in a direction of its own, but the sea in that of the tide. */
const interactionWith = createLateInteraction(
  tableOf({ tide: 0, sea: 0, moon: 1, sleep: 2, mice: 3 }),
);

describe('createLateInteraction', () => {
  it('gives a document that has the words of the query 1, and one without any like them 0', () => {
    expect(scoresFor('tide', { tide: 0 }, ['Tides and the moon', 'Sleep of mice'])).toEqual([
      expect.closeTo(1, 3),
      expect.closeTo(0, 3),
    ]);
  });

  it('counts a word with the same meaning like the word itself', () => {
    const [sea, tide] = scoresFor('tide', { tide: 0 }, ['The sea', 'The tide']);
    expect(sea).toBeCloseTo(tide as number, 6);
  });

  it('takes the meaning that a word has in the query', () => {
    const [moon, tide] = scoresFor('tide', { tide: 1 }, ['The moon', 'The tide']);
    expect(moon).toBeCloseTo(1, 3);
    expect(tide).toBeCloseTo(0, 3);
  });

  it('weights the words by their shares', () => {
    const rare = statisticsOf(['tide', 'tide', 'tide', 'moon']);
    const query = weightQuery(parseQuery('tide moon', 64), rare);
    const interaction = interactionWith(query, wordsOf({ tide: 0, moon: 1 }));
    const found = interaction?.(['The tide', 'The moon'].map(termsOf)) as number[];
    expect(found[1]).toBeGreaterThan(found[0] as number);
    expect(found.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 2);
  });

  it('counts a word without an embedding by exact matches', () => {
    const texts = ['Zirconium', 'Tides'];
    const [exact, none] = scoresFor('zirconium tide', { tide: 0, zirconium: 5 }, texts);
    expect(exact).toBeCloseTo(EXACT_MATCH / 2, 2);
    expect(none).toBeCloseTo(1 / 2, 2);
  });

  it('takes the mean of a word’s occurrences, in all its forms', () => {
    const words = [...wordsOf({ tides: 0 }), ...wordsOf({ tide: 1 })];
    const query = weightQuery(parseQuery('Tides tide', 64), statistics);
    const scores = interactionWith(query, words)?.([termsOf('The tide'), termsOf('The moon')]);
    for (const score of scores ?? []) expect(score).toBeCloseTo(Math.SQRT1_2, 3);
    expect(scores).toHaveLength(2);
  });

  it('handles documents without a term, and no documents', () => {
    expect(scoresFor('tide', { tide: 0 }, ['', 'Zirconium'])).toEqual([0, 0]);
    expect(scoresFor('tide', { tide: 0 }, [])).toEqual([]);
  });

  it('is not possible for a query without an embedded word', () => {
    const query = weightQuery(parseQuery('tide', 64), statistics);
    expect(interactionWith(query, [])).toBeUndefined();
    expect(interactionWith(query, wordsOf({ moon: 1 }))).toBeUndefined();
  });

  it('gives a document the same score, whatever is scored beside it', () => {
    const texts = ['Tides and the moon', 'Sleep of mice', 'Mice and the sea', 'Zirconium'];
    const all = scoresFor('tide mice', { tide: 0, mice: 3 }, texts);
    const alone = texts.flatMap((text) => scoresFor('tide mice', { tide: 0, mice: 3 }, [text]));
    expect(alone).toEqual(all);
  });
});

/** The scores of texts for a query whose words point in these directions. */
function scoresFor(query: string, words: Record<string, number>, texts: string[]): number[] {
  const weighted = weightQuery(parseQuery(query, 64), statistics);
  const interaction = interactionWith(weighted, wordsOf(words));
  return interaction?.(texts.map(termsOf)) ?? [];
}

function termsOf(title: string): ReturnType<typeof candidateOf>['terms'] {
  return candidateOf({ title }).terms;
}

function wordsOf(directions: Record<string, number>): WordEmbedding[] {
  return Object.entries(directions).map(([word, at]) => ({
    word,
    embedding: Float32Array.from({ length: 64 }, (_, i) => (i === at ? 1 : 0)),
  }));
}

function tableOf(directions: Record<string, number>): TermEmbeddings {
  const words = Object.entries(directions).map(([word, at]) => [word, oneHot(at)]);
  return parseTermEmbeddings(encodeTermEmbeddings(Object.fromEntries(words), 1 / 127));
}
