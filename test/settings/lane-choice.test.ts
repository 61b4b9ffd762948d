import { describe, expect, it } from 'vitest';
import { choiceOfForm } from '../../src/dashboard/components/lane-fields.tsx';
import { allowedLanes, parseLaneChoice } from '../../src/settings/lane-choice.ts';

it.each([
  ['none', 'none'],
  ['web', 'web'],
  ['web,arxiv', 'arxiv,web'],
  [' arxiv , semantic_scholar,web,web ', 'arxiv,semantic_scholar,web'],
  ['', undefined],
  [',', undefined],
  ['web,', undefined],
  ['none,web', undefined],
  ['all', undefined],
  ['Web', undefined],
  ['crossref', undefined],
])('parseLaneChoice turns %j into %j', (text, choice) => {
  expect(parseLaneChoice(text)).toBe(choice);
});

it.each([
  [[], ['arxiv', 'semantic_scholar', 'web']],
  [
    [null, null],
    ['arxiv', 'semantic_scholar', 'web'],
  ],
  [['none', null], []],
  [[null, 'arxiv,web', 'web'], ['web']],
  [['arxiv', 'web'], []],
])('allowedLanes of %j are %j', (choices, lanes) => {
  expect(allowedLanes(choices)).toEqual(lanes);
});

describe('the check boxes of a form', () => {
  it.each([
    ['lane=arxiv&lane=semantic_scholar&lane=web', null],
    ['', 'none'],
    ['lane=web', 'web'],
    ['lane=web&lane=arxiv&lane=nonsense', 'arxiv,web'],
  ])('%j gives the choice %j, which checks the same boxes', (form, choice) => {
    const sent = new URLSearchParams(form);
    expect(choiceOfForm(sent)).toBe(choice);
    const known = sent.getAll('lane').filter((lane) => lane !== 'nonsense');
    expect(allowedLanes([choice])).toEqual(known.sort());
  });
});
