import { describe, expect, it } from 'vitest';
import {
  isWithdrawnByAuthors,
  titleWithoutMark,
  withheldByPublicationTypes,
  withheldByTitle,
} from '../../src/identity/withheld.ts';

const PLAIN = 'Moths of the coast';

describe('withheldByTitle', () => {
  it.each([
    ['RETRACTED: Moths of the coast', 'retracted'],
    ['Retracted: Moths of the coast', 'retracted'],
    ['RETRACTED ARTICLE: Moths of the coast', 'retracted'],
    ['RETRACTED CHAPTER: Moths of the coast', 'retracted'],
    ['[Retracted] Moths of the coast', 'retracted'],
    ['[RETRACTED ARTICLE] Moths of the coast', 'retracted'],
    ['(Retracted) Moths of the coast', 'retracted'],
    ['RETRACTED—Moths of the coast', 'retracted'],
    ['RETRACTED Moths of the coast', 'retracted'],
    ['Retraction: Moths of the coast', 'retracted'],
    ['Retraction Note: Moths of the coast', 'retracted'],
    ['Retraction Note to: Moths of the coast', 'retracted'],
    ['Notice of Retraction: Moths of the coast', 'retracted'],
    ['Moths of the coast (Retracted)', 'retracted'],
    ['Moths of the coast [RETRACTED ARTICLE].', 'retracted'],
    ['WITHDRAWN: Moths of the coast', 'withdrawn'],
    ['Withdrawn: Moths of the coast', 'withdrawn'],
    ['WITHDRAWN ARTICLE: Moths of the coast', 'withdrawn'],
    ['[Withdrawn] Moths of the coast', 'withdrawn'],
    ['WITHDRAWAL: Moths of the coast', 'withdrawn'],
    ['TEMPORARY REMOVAL: Moths of the coast', 'withdrawn'],
    ['TEMPORARY REMOVAL Moths of the coast', 'withdrawn'],
    ['REMOVED: Moths of the coast', 'withdrawn'],
  ])('reads %s as %s', (title, withheld) => {
    expect(withheldByTitle(title)).toBe(withheld);
    expect(titleWithoutMark(title)).toBe(PLAIN);
  });

  it.each([
    PLAIN,
    'Retracted papers and who cites them',
    'Retractions: a survey of journals',
    'Retraction of the foreskin in infancy',
    'Withdrawn patients in trials of sleep',
    'Withdrawal: symptoms and treatment',
    'WITHDRAWN PATIENTS IN TRIALS',
    'RETRACTED SCIENCE AND WHO CITES IT',
    'Alcohol withdrawal: a review',
    'Cell-free DNA removed by filters: a study',
    'The retracted needle',
    'TEMPORARY REMOVAL OF SALT',
    'Temporary removal of salt',
    '',
  ])('finds no mark in %j', (title) => {
    expect(withheldByTitle(title)).toBeUndefined();
    expect(titleWithoutMark(title)).toBe(title);
  });
});

describe('withheldByPublicationTypes', () => {
  it.each([
    [['Journal Article', 'Retracted Publication'], 'retracted'],
    [['retracted publication'], 'retracted'],
    [['Retraction of Publication'], undefined],
    [[], undefined],
  ])('maps the PubMed publication types %j to %s', (types, withheld) => {
    expect(withheldByPublicationTypes(types)).toBe(withheld);
  });
});

describe('isWithdrawnByAuthors', () => {
  it.each([
    ['This paper has been withdrawn by the author due to an error.', '', true],
    ['This article has been withdrawn at the request of the editors.', '', true],
    ['(Withdrawn by the authors.)', '', true],
    ['Paper withdrawn.', '', true],
    ['', 'Withdrawn due to an error in Lemma 2', true],
    ['Withdrawn patients were asked.', '', false],
    ['This paper studies patients who were withdrawn from a trial.', '', false],
    ['We show that support was withdrawn.', '5 pages, replaces one that was withdrawn', false],
  ])(
    'reads the abstract %j with the comments %j as a withdrawal: %j',
    (abstract, comments, expected) => {
      expect(isWithdrawnByAuthors({ abstract, comments })).toBe(expected);
    },
  );
});
