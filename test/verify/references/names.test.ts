/** Which spellings of a name can be one person's. */
import { describe, expect, it } from 'vitest';
import { isSameName } from '../../../src/verify/references/names.ts';

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
