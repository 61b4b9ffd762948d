/** Damaged references: nothing is thrown but what says why, and places are right. */
import { expect, it } from 'vitest';
import { splitReferences } from '../../../src/verify/references/printed/split-references.ts';
import { readPrintedReference } from '../../../src/verify/references/read-printed.ts';
import { UnreadableReference } from '../../../src/verify/references/reference.ts';
import { createRandom } from '../../support/random.ts';

const CASES = 3_000;
const WHOLE = [
  'Berg, A., van den Dahl, B. C., & Falk-Ek, E. (2020a). Tides of the northern shore: a survey. *Journal of Shores*, *12*(3), 4–5. https://doi.org/10.5555/tides',
  '[7] A. Berg and E. Falk, “Moons of the outer shore,” in Proc. Shore Conf., vol. 12, pp. 4–5, 2020.',
  '3. Berg A, Dahl BC, et al. Slack tides? Journal of Shores. 2020;12(3):4-5. PMID: 31234567',
  '- **Berg, Anna**, et al. "[Tides](https://arxiv.org/abs/2003.00001)." arXiv:2003.00001 (2020).',
  '[^4]: Berg, A. and Dahl, B. (2020) ‘Tides’, Journal of Shores, pp. 4–5 (Accessed: 3 May 2024).',
];
const PARTS = [
  ...['(', '[', ']', ')', '{', '“', '"', '‘', "'", '*', '_', '`', '<i>', '&', '&amp;', '\\', '|'],
  ...['\n', '\n\n', '\r', '\t', '\0', '\u0007', '\u202e', '\u200f', '\u00ad', '\u0301', '\ud800'],
  ...['😀', 'א', '漢字', '. ', ', ', '; ', '2020', '(1999)', 'et al.', ' and ', 'eds., ', 'In '],
  ...['10.5555/', 'https://', 'arXiv:', 'doi:', '[1] ', '2. ', '[^1]:', '…', '. . .', '\\bibitem{'],
];

it('are read or refused', () => {
  const random = createRandom(36);
  const pick = <One>(list: readonly One[]): One => list[random.below(list.length)] as One;
  const damage = (text: string): string => {
    const at = random.below(text.length + 1);
    const length = random.below(40);
    return pick([
      () => text.slice(0, at),
      () => text.slice(at),
      () => text.slice(0, at) + text.slice(at + length),
      () => text.slice(0, at) + pick(PARTS) + text.slice(at),
      () => text.slice(0, at) + pick(PARTS).repeat(length) + text.slice(at),
      () => text + pick(['', ' ', '\n', '\n\n']) + pick(WHOLE),
      () => text.slice(0, at) + text.slice(at, at + length).repeat(3) + text.slice(at),
    ])();
  };
  let [read, refused] = [0, 0];
  for (let made = 0; made < CASES; made++) {
    let text = pick(WHOLE);
    for (let times = 1 + random.below(6); times > 0; times--) text = damage(text);
    let last = 0;
    for (const { start, end, text: own } of splitReferences(text)) {
      expect(text.slice(start, end), text).toBe(own);
      expect(start, text).toBeGreaterThanOrEqual(last);
      last = end;
    }
    try {
      readPrintedReference(text);
      read++;
    } catch (error) {
      expect(error, text).toBeInstanceOf(UnreadableReference);
      refused++;
    }
  }
  expect(read).toBeGreaterThan(CASES / 2);
  expect(refused).toBeGreaterThan(0);
});

it('of 64 KB are read too', () => {
  for (const part of PARTS) {
    const text = part.repeat(65_536 / part.length);
    expect(splitReferences(text).length, part).toBeLessThanOrEqual(text.length / 2 + 1);
    expect(readPrintedReference(`Tides ${text}`).readings.length, part).toBeLessThanOrEqual(6);
  }
});
