import { describe, expect, it } from 'vitest';
import { paperTypeOf } from '../../src/identity/paper-type.ts';
import { type PaperType, paperTypes } from '../../src/types.ts';

describe('paperTypeOf', () => {
  it.each<[words: string[], type: PaperType | undefined]>([
    [['Journal Article'], 'article'],
    [['journal-article'], 'article'],
    [['Journal Article', 'Review', 'Research Support, N.I.H.'], 'review'],
    [['Journal Article', 'Published Erratum'], 'erratum'],
    [['posted-content'], 'preprint'],
    [['inproceedings'], 'conference-paper'],
    [['JOUR'], 'article'],
    [['Retraction of Publication'], 'retraction'],
    [['Research Support, N.I.H.'], undefined],
    [['constructor'], undefined],
    [[''], undefined],
    [[], undefined],
  ])('of %j is %s', (words, type) => {
    expect(paperTypeOf(words)).toBe(type);
  });

  it('knows each type by its own name', () => {
    for (const type of paperTypes) expect(paperTypeOf([type])).toBe(type);
  });
});
