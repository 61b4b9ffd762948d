/** Texts that people hardly write: all of Unicode, operators, and words of the index among them. */
import fc from 'fast-check';

const WORDS = [
  ...['sleep', 'memory', 'does', 'the', 'of', 'p < 0.05', 'e.g.', 'Dr.', 'et al.', 'Fig. 3', 'vs.'],
  ...['NEAR(a b)', 'AND', 'OR NOT', '"quoted phrase"', '^start', 'title:x', 'a*', '(((', '--', "'"],
  ...['1.4 +/- 0.24', 'CO2', 'H₂O', 'naïve', 'Straße', 'İstanbul', 'ﬁt', 'χ²', '中文 句子。'],
  'ไทย',
  ...['https://doi.org/10.1000/182', 'a@b.c', '%00', '<b>bold</b>', '&amp;', '\\', '$(x)', '{{y}}'],
];

const FRAGMENTS = ['\ud800', '\udc00', '\u{200b}', '\u{301}', '\n', '\t'];

/** A text of up to a few hundred characters. */
export const strangeText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...WORDS) },
      { weight: 2, arbitrary: fc.string({ maxLength: 20 }) },
      { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
      { weight: 1, arbitrary: fc.constantFrom(...FRAGMENTS) },
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(' '));

/** The first, so many times as often as the other. */
export function usually<Right, Other>(
  weight: number,
  right: fc.Arbitrary<Right>,
  other: fc.Arbitrary<Other>,
): fc.Arbitrary<Right | Other> {
  return fc.oneof({ weight, arbitrary: right }, { weight: 1, arbitrary: other });
}
