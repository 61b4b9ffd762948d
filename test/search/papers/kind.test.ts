/** Kinds of publications. */
import { describe, expect, it } from 'vitest';
import { kindOf } from '../../../src/search/papers/kind.ts';

describe('the kind of a paper', () => {
  it.each([
    ['Nature', {}, 'article'],
    ['Proceedings of the National Academy of Sciences', {}, 'article'],
    ['Proceedings of the 5th Workshop on Shores', {}, 'conference'],
    ['International Conference on Machine Learning', {}, 'conference'],
    ['NeurIPS', {}, 'conference'],
    ['Transactions of the Association for Computational Linguistics', {}, 'article'],
    ['ACL', { acl: 'P19-1001' }, 'conference'],
    ['arXiv', { arxiv: '2401.00001' }, 'preprint'],
    ['bioRxiv', {}, 'preprint'],
    ['', { arxiv: '2401.00001' }, 'preprint'],
    ['', { doi: '10.5555/a' }, 'unknown'],
  ] as const)('%s %j', (venue, identifiers, kind) => {
    expect(kindOf({ venue, identifiers, details: {} })).toBe(kind);
  });
});

describe('the kind of a paper with a type', () => {
  it.each([
    ['conference-paper', 'Nature', 'conference'],
    ['dissertation', '', 'dissertation'],
    ['review', 'Nature', 'article'],
    ['preprint', '', 'preprint'],
    // The type may be that of another version.
    ['preprint', 'Nature', 'article'],
  ] as const)('%s in "%s"', (type, venue, kind) => {
    expect(kindOf({ venue, identifiers: {}, details: { type } })).toBe(kind);
  });
});
