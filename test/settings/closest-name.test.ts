import { describe, expect, it } from 'vitest';
import { closestName, suggestion } from '../../src/settings/closest-name.ts';

const known = ['PORT', 'HOST', 'MODEL', 'MAIL_FROM', 'LANE_TIMEOUT_MS', 'MAIL_TIMEOUT_MS'];

describe('closestName', () => {
  it.each([
    ['PORT', 'PORT'],
    ['PROT', 'PORT'],
    ['port', 'PORT'],
    ['HOTS', 'HOST'],
    ['MODLE', 'MODEL'],
    ['MALE_FROM', 'MAIL_FROM'],
    ['MAILFROM', 'MAIL_FROM'],
    ['LANE_TIMEOUT', 'LANE_TIMEOUT_MS'],
    // Two names are as close: the first counts.
    ['POST', 'PORT'],
  ])('finds for %s the name %s', (typed, meant) => {
    expect(closestName(typed, known)).toBe(meant);
  });

  it.each(['', 'X', 'PO', 'SOMETHING_ELSE', 'TIMEOUT'])('finds nothing close to %j', (typed) => {
    expect(closestName(typed, known)).toBeUndefined();
  });
});

describe('suggestion', () => {
  it('is the end of a message, or empty', () => {
    expect(suggestion('PROT', known)).toBe('; did you mean PORT?');
    expect(suggestion('QQQQ', known)).toBe('');
  });
});
