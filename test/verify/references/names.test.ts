/** Which spellings of a name can be one person's. */
import { describe, expect, it, vi } from 'vitest';
import { isSameName, sharedAuthors } from '../../../src/verify/references/names.ts';

describe('two names are one person’s', () => {
  it.each([
    ['Minghui Hu 0001', 'Minghui Hu'],
    ['J. Ho', 'Jonathan Ho'],
    ['Ho J', 'Jonathan Ho'],
    ['Ho, Jonathan', 'Jonathan Ho'],
    ['J.-W. van de Meent', 'Jan-Willem van de Meent'],
    ['Meent, Jan-Willem van de', 'Jan-Willem van de Meent'],
    ['Simon Reiss', 'Simon Reiß'],
    ['Thomas Mueller', 'Thomas Müller'],
    ['Soren Kierkegaard', 'Søren Kierkegaard'],
    ['Michael Wick', 'Michael L. Wick'],
    ['Tatjen Cham', 'Tat-Jen Cham'],
    ['Wei Zhang', 'Zhang Wei'],
    ['Martin King Jr.', 'Martin King'],
    ['OpenAI', 'OpenAI'],
    ["Conan O'Brien", 'Conan O’Brien'],
  ])('%s and %s', (one, other) => {
    expect(isSameName(one, other)).toBe(true);
    expect(isSameName(other, one)).toBe(true);
  });
});

describe('two names are not one person’s', () => {
  it.each([
    ['David Okonkwo', 'Duarte Okonkwo'],
    ['J. Ho', 'Kevin Ho'],
    ['Jonathan Ho', 'Jonathan Hu'],
    ['Wei Zhang', 'Wei Wang'],
    ['', 'Jonathan Ho'],
  ])('%s and %s', (one, other) => {
    expect(isSameName(one, other)).toBe(false);
    expect(isSameName(other, one)).toBe(false);
  });
});

it('a list that is compared with several others is taken apart once', () => {
  const names = Array.from({ length: 1000 }, (_, at) => `Family${at} B.`);
  const normalize = vi.spyOn(String.prototype, 'normalize');
  expect(sharedAuthors(names, ['B. Family7'])).toBe(1 / 1000);
  const once = normalize.mock.calls.length;
  for (let other = 0; other < 12; other++) sharedAuthors(names.slice(), [`Other${other} C.`]);
  expect(once).toBeGreaterThanOrEqual(names.length);
  expect(normalize.mock.calls.length).toBeLessThan(once * 2);
  normalize.mockRestore();
});
