import { expect, it } from 'vitest';
import { questionKindsOf } from '../../src/search/question-kind.ts';

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
