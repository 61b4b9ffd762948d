/** Languages and fields come back from the numbers that facets keep of them. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  facetsOf,
  fieldOfNumber,
  languageOfNumber,
  readLanguageAndField,
} from '../../../src/index/facets/facets.ts';
import { fieldsOfStudy, type PaperDetails } from '../../../src/types.ts';

const document = { year: 2001, venue: '', abstract: '' };
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz');
const code = fc.string({ unit: letter, minLength: 2, maxLength: 3 });

it('a language and a field come back', () => {
  fc.assert(
    fc.property(maybe(code), maybe(fc.constantFrom(...fieldsOfStudy)), (language, field) => {
      const details: PaperDetails = {};
      if (language !== undefined) details.language = language;
      if (field !== undefined) details.field = field;
      const [, , , word] = facetsOf({ document, details, records: [] });
      const numbers = readLanguageAndField(word);
      // PostgreSQL keeps each in a signed number of 16 bits.
      expect(Math.max(numbers.language, numbers.field)).toBeLessThan(2 ** 15);
      expect(languageOfNumber(numbers.language)).toBe(language ?? null);
      expect(fieldOfNumber(numbers.field)).toBe(field ?? null);
    }),
  );
});

it('a byte has room for all fields', () => {
  expect(fieldsOfStudy.length).toBeLessThan(256);
});
