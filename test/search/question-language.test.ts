import { expect, it } from 'vitest';
import { formatUnread, unreadLanguage } from '../../src/search/question-language.ts';

const QUESTION = 'Wie wirkt die Sonne auf die Haut?';

it('is told unless the model reads it', () => {
  expect(unreadLanguage(QUESTION, { languages: 'multilingual' })).toBeUndefined();
  expect(unreadLanguage('ما هو الماء؟', { languages: 'multilingual' })).toBeUndefined();
  expect(unreadLanguage(QUESTION, { languages: ['en', 'de'] })).toBeUndefined();
  expect(unreadLanguage(QUESTION, { languages: ['en'] })).toEqual({
    question: 'de',
    model: ['en'],
  });
});

it('is a header with one language, or several', () => {
  expect(formatUnread({ question: 'de', model: ['en'] })).toBe('de; model=en');
  expect(formatUnread({ question: 'und', model: ['en', 'fr'] })).toBe('und; model="en fr"');
});
