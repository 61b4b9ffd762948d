/** The questions that are trained and measured on keep to their rules, as far as they show without abstracts. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
// @ts-expect-error: a script without types.
import { isReserved, normalizedTitle } from '../../models/questions/reserved.mjs';

interface Question {
  question: string;
  form: string;
  corpus: string;
  id: string;
  sentences: number[];
}

const FORMS = ['claim', 'how', 'how_much', 'keywords', 'which', 'yes_no'];

function read(name: string): Question[] {
  const url = new URL(`../../models/questions/${name}.jsonl`, import.meta.url);
  return readFileSync(url, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const paperOf = ({ corpus, id }: Question): string => `${corpus}:${id}`;
const isAnswered = ({ sentences }: Question): boolean => sentences.length > 0;
const training = read('training');
const development = read('development');

describe.each([
  ['training', training],
  ['development', development],
])('the questions for %s', (_, questions) => {
  it('have all fields, and sentences in ascending order', () => {
    for (const one of questions) {
      expect(Object.keys(one)).toEqual(['question', 'form', 'corpus', 'id', 'sentences']);
      expect(FORMS).toContain(one.form);
      expect(['papers', 'arxiv', 'scifact']).toContain(one.corpus);
      expect(one.question.trim().length, one.question).toBeGreaterThan(7);
      const inOrder = [...new Set(one.sentences)].sort((a, b) => a - b);
      expect(one.sentences).toEqual(inOrder);
      expect(one.sentences.every((number) => Number.isInteger(number) && number >= 0)).toBe(true);
    }
  });

  it('are about no reserved paper', () => {
    expect(questions.filter((one) => isReserved(paperOf(one)))).toEqual([]);
  });

  it('ask different things of a paper', () => {
    const asked = questions.map((one) => `${paperOf(one)} ${one.question.toLowerCase()}`);
    expect(new Set(asked).size).toBe(asked.length);
  });
});

it('training and development share no paper', () => {
  const papers = new Set(training.map(paperOf));
  expect(development.filter((one) => papers.has(paperOf(one)))).toEqual([]);
});

it('there are as many as promised', () => {
  const answered = training.filter(isAnswered);
  expect(answered.length).toBeGreaterThanOrEqual(5_000);
  expect(new Set(answered.map(paperOf)).size).toBeGreaterThanOrEqual(2_500);
  expect(training.length - answered.length).toBeGreaterThanOrEqual(500);
  for (const form of FORMS) {
    const ofForm = development.filter((one) => one.form === form && isAnswered(one));
    expect(ofForm.length, form).toBeGreaterThanOrEqual(100);
  }
  const biomedical = new Set([...training, ...development].map(paperOf));
  expect(
    [...biomedical].filter((paper) => paper.startsWith('scifact:')).length,
  ).toBeLessThanOrEqual(800);
});

it('a reserved paper is one whose hash begins with 0, and titles are compared by their letters and digits', () => {
  // By `printf %s arxiv:4 | sha256sum`: 0b6ef2… for 4, e2c2… for 0.
  expect(['arxiv:4', 'arxiv:0'].map(isReserved)).toEqual([true, false]);
  expect(normalizedTitle(' Éclairs & “tides”: 2 ')).toBe('eclairs tides 2');
});
