import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerProbability, probabilityFeatures } from '../../src/search/answer-probability.ts';
import { rankSentences } from '../../src/search/choose-sentence.ts';
import { explainQuote } from '../../src/search/explain-quote.ts';
import {
  readSentenceWeights,
  topicalWeights,
  weightsFor,
} from '../../src/search/sentence-weights.ts';
import type { Encoder } from '../../src/text/embed/model.ts';
import { splitSentences } from '../../src/text/split-sentences.ts';
import { documentOf } from '../index/memory-index.ts';
import { scratchFolder, writeFiles } from '../ingest/index-files.ts';
import { candidateOf } from './toy-candidates.ts';

const TEXT = 'Tides were studied. They rose by 3.5 metres, 12 % more. The moon moves them.';
const weights = {
  always: { answer: 10, cosine: 1 },
  kinds: { quantity: { answer: -2, numbers: 3 }, reason: { length: 1 } },
  probability: { bias: -1, relevance: 1, score: 0.1, share: 2, answer: 0, coverage: 0 },
};

function documentWith(answers: number[]) {
  const spans = splitSentences(TEXT);
  const candidate = candidateOf({ abstract: TEXT, cosines: [1, 1, 0.5, 0.2, 0.1] });
  const answerCosines = Float64Array.from([1, 1, ...answers]);
  return { candidate: { ...candidate, answerCosines }, abstract: TEXT, spans };
}

async function readFrom(text: string) {
  const folder = await scratchFolder();
  await writeFiles(folder, { 'sentence-weights.json': text });
  return () => readSentenceWeights({ folder, sentenceWeights: 'any' } as Encoder);
}

describe('readSentenceWeights', () => {
  it('reads the file of a model, and has others for models without one', async () => {
    expect((await readFrom(JSON.stringify(weights)))()).toEqual(weights);
    expect(readSentenceWeights({})).toBe(topicalWeights);
  });

  it.each([
    ['no JSON', '{', 'JSON'],
    ['an unknown feature', '{"always": {"colour": 1}, "kinds": {}}', 'unknown feature colour'],
    ['no number', '{"always": {"answer": "1"}, "kinds": {}}', 'answer is "1"'],
    ['an unknown kind', '{"always": {}, "kinds": {"rhetorical": {}}}', 'unknown kind rhetorical'],
  ])('refuses %s', async (_, text, reason) => {
    const read = await readFrom(text);
    expect(read).toThrow(reason);
    expect(read).toThrow(expect.objectContaining({ code: 'model_unusable' }));
  });
});

it('adds the weights of each kind of question', () => {
  expect(weightsFor(weights, 'Do tides rise?')).toEqual({ answer: 10, cosine: 1 });
  const all = { answer: 8, cosine: 1, numbers: 3, length: 1 };
  expect(weightsFor(weights, 'How much, and why?')).toEqual(all);
});

it('chooses by what the question asks for', () => {
  const document = documentWith([0.5, 0.4, 0.6]);
  const chosen = (query: string) => rankSentences(document, weightsFor(weights, query))[0]?.index;
  expect(chosen('What moves tides?')).toBe(2);
  expect(chosen('How much do tides rise?')).toBe(1);
});

it('explains a choice by what each feature adds', () => {
  const document = documentWith([0.5, 0.4, 0.6]);
  const cited = { ...documentOf({ abstract: TEXT }), spans: document.spans };
  const paper = { candidate: document.candidate, cited, score: 0.5 };
  const quote = explainQuote(paper, { query: 'How much do tides rise?', weights });
  expect(quote?.sentence).toBe(1);
  const sums = Object.fromEntries(quote?.contributions ?? []);
  expect(sums).toEqual({ answer: 3.2, cosine: expect.closeTo(0.2), numbers: 6 });
  expect(quote?.next?.sentence).toBe(2);
  const ofNext = Object.fromEntries(quote?.next?.contributions ?? []);
  expect(ofNext).toEqual({ answer: 4.8, cosine: expect.closeTo(0.1), numbers: 0 });
  const one = { ...paper, cited: { ...cited, spans: document.spans.slice(0, 1) } };
  expect(explainQuote(one, { query: '', weights })).not.toHaveProperty('next');
  const empty = { ...paper, cited: { ...cited, spans: [] } };
  expect(explainQuote(empty, { query: '', weights })).toBeUndefined();
});

it('is surer that a quote answers if no other sentence comes near', () => {
  const probabilityOf = (answers: number[]): number => {
    const document = documentWith(answers);
    const ranked = rankSentences(document, weightsFor(weights, ''));
    return answerProbability(probabilityFeatures(document, ranked, 0.5), weights.probability);
  };
  const [close, far] = [probabilityOf([0.1, 0.55, 0.6]), probabilityOf([0.1, 0.1, 0.6])];
  expect(close).toBeGreaterThan(0);
  expect(far).toBeGreaterThan(close);
  expect(far).toBeLessThan(1);
});

it('every model that is bundled has weights that can be read', async () => {
  const { loadModel } = await import('../../src/text/embed/model.ts');
  const { queryEncoder } = loadModel('');
  expect(readSentenceWeights(queryEncoder).always).toHaveProperty('answer');
  expect(join(queryEncoder.folder)).toContain('verbatim-MiniLM-L6');
});
