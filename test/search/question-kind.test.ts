import { expect, it } from 'vitest';
import { asksForFact, questionKindsOf } from '../../src/search/question-kind.ts';

it.each<[question: string, kinds: string[]]>([
  ['How much sleep do adults need?', ['quantity']],
  ['By how much did the error fall?', ['quantity']],
  ['Does sleep help memory?', ['yesOrNo']],
  ['Could you please send me papers about whether tides warm the sea?', []],
  ['Why do tides rise?', ['reason']],
  ['What causes tides?', ['reason', 'which']],
  ['Which planet is largest?', ['which']],
  ['How do plants store carbon?', ['way']],
  ['How can one measure how fast a glacier moves?', ['quantity', 'way']],
  ['Sleep after learning improves memory.', ['statement']],
  ['melatonin jet lag dose', ['statement']],
  ['', ['statement']],
])('%s', (question, kinds) => {
  expect(questionKindsOf(question)).toEqual(kinds);
});

it.each<[question: string, asks: boolean]>([
  ['How many pairs of captions are available?', true],
  ['Why do tides rise?', true],
  ['Which planet is largest?', true],
  ['How do plants store carbon?', true],
  ['What solutions are available for shells of revolution?', false],
  ['How much is known about tides?', true],
  ['Does sleep help memory?', false],
  ['Sleep after learning improves memory.', false],
  ['melatonin jet lag dose', false],
])('%s asks for a fact: %s', (question, asks) => {
  expect(asksForFact(question)).toBe(asks);
});
