import { describe, expect, it } from 'vitest';
import { createRecentQuestions } from '../../../src/dashboard/page/recent-questions.ts';

const limits = { questionsPerSessionMax: 3, sessionsMax: 2 };

function queriesOf(questions: ReturnType<typeof createRecentQuestions>, session: string): string[] {
  return questions.list(session).map(({ query }) => query);
}

describe('recent questions', () => {
  it('are the last ones of their session, the latest first, each once', () => {
    const questions = createRecentQuestions(limits);
    for (const query of ['a', 'b', 'c', 'd', 'b']) questions.add('ada', query);
    questions.add('eve', 'e');
    expect(queriesOf(questions, 'ada')).toEqual(['b', 'd', 'c']);
    expect(queriesOf(questions, 'eve')).toEqual(['e']);
    expect(queriesOf(questions, 'nobody')).toEqual([]);
  });

  it('have names that stay, whatever is asked next', () => {
    const questions = createRecentQuestions(limits);
    questions.add('ada', 'a');
    const [first] = questions.list('ada');
    questions.add('ada', 'b');
    questions.add('eve', 'e');
    expect(questions.list('ada').find(({ id }) => id === first?.id)?.query).toBe('a');
    expect(questions.list('eve').some(({ id }) => id === first?.id)).toBe(false);
  });

  it('of the session that asked longest ago make room for those of a new one', () => {
    const questions = createRecentQuestions(limits);
    questions.add('ada', 'a');
    questions.add('eve', 'e');
    questions.add('ada', 'b');
    questions.add('joe', 'j');
    expect(queriesOf(questions, 'eve')).toEqual([]);
    expect(queriesOf(questions, 'ada')).toEqual(['b', 'a']);
  });

  it('are forgotten with their session', () => {
    const questions = createRecentQuestions(limits);
    questions.add('ada', 'a');
    questions.forget('ada');
    expect(queriesOf(questions, 'ada')).toEqual([]);
  });
});
