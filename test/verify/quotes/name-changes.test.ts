/** What kinds of changes are named. */
import { describe, expect, it } from 'vitest';
import { splitSentences } from '../../../src/text/split-sentences.ts';
import { findNear } from '../../../src/verify/quotes/find-near.ts';
import { findPieced } from '../../../src/verify/quotes/find-pieced.ts';
import { prepareQuote, prepareSource } from '../../../src/verify/quotes/match-quote.ts';
import type { Change } from '../../../src/verify/quotes/name-changes.ts';

const SOURCE =
  'In 1,250 harbors the tides rose by 12 cm within 3 days (p < 0.05), and two boats did not sink. ' +
  'No unstable hull was found without paint, although the crews had failed to clean any of them. ' +
  'The colour of the water, however, was darker after the storm. Old harbors cannot be deepened.';

/** The changes of a copy of the source in which one text stands for another. */
function changesOf(from: string, to: string): string[] | undefined {
  expect(SOURCE).toContain(from);
  return named(SOURCE.replace(from, to));
}

function named(quote: string): string[] | undefined {
  const source = prepareSource(SOURCE, splitSentences(SOURCE));
  const prepared = prepareQuote(quote);
  const near = findNear(prepared, source);
  const { changes } = findPieced(prepared, source, near?.distance) ?? near?.compare() ?? {};
  return changes?.map(
    ({ kind, quoted, wording }: Change) => `${kind}: ${quoted || '–'} for ${wording || '–'}`,
  );
}

describe('a changed', () => {
  it.each([
    // Numbers.
    ['12 cm', '21 cm', 'number: 21 for 12'],
    ['12 cm', '1.2 cm', 'number: 1.2 for 12'],
    ['12 cm', '-12 cm', 'number: -12 for 12'],
    ['1,250', '1,520', 'number: 1,520 for 1,250'],
    ['1,250', '1250', 'spelling: 1250 for 1,250'],
    ['two boats', '2 boats', 'spelling: 2 for two'],
    ['two boats', 'twelve boats', 'number: twelve for two'],
    ['3 days', 'days', 'number: – for 3'],
    // Units.
    ['12 cm', '12 mm', 'unit: mm for cm'],
    ['3 days', '3 weeks', 'unit: weeks for days'],
    ['12 cm', '12', 'unit: – for cm'],
    ['12 cm', '12%', 'unit: % for cm'],
    // Negations.
    ['did not sink', 'sank', 'negation: – for did not', 'word: sank for sink'],
    ['did not sink', 'did sink', 'negation: – for not'],
    ['did not sink', "didn't sink", "word: didn't for did not"],
    ['No unstable', 'An unstable', 'negation: An for No'],
    ['cannot', 'can', 'negation: can for cannot'],
    ['failed to clean', 'to clean', 'negation: – for failed'],
    ['was darker', 'was never darker', 'negation: never for –'],
    ['was darker', 'wasn’t darker', 'negation: wasn’t for was'],
    // Directions.
    ['rose', 'fell', 'direction: fell for rose'],
    ['after', 'before', 'direction: before for after'],
    ['without', 'with', 'direction: with for without'],
    ['unstable', 'stable', 'direction: stable for unstable'],
    ['p < 0.05', 'p > 0.05', 'direction: > for <'],
    ['darker', 'lighter', 'word: lighter for darker'],
    // Others.
    ['colour', 'color', 'spelling: color for colour'],
    ['harbors', 'habrors', 'spelling: habrors for harbors'],
    ['The colour', 'the colour', 'spelling: the for The'],
    ['water, however, was', 'water however was', 'punctuation: – for ,', 'punctuation: – for ,'],
    [', however,', '', 'omission: – for , however,'],
    ['The colour', 'The dark colour', 'addition: dark for –'],
    ['crews', 'captains', 'word: captains for crews'],
    ['sink. No', 'sink, and no', 'join: , and no for . No'],
  ])('text: %s, %s', (from, to, ...changes) => {
    expect(changesOf(from, to)).toEqual(changes);
  });
});

describe('a quote that was put together', () => {
  it.each([
    [
      'from the first half of a sentence and the second half of another',
      'In 1,250 harbors the tides rose although the crews had failed to clean any of them.',
      [/^join: – for by 12 cm .* paint,$/],
    ],
    [
      'from sentences in another order',
      'Old harbors cannot be deepened. No unstable hull was found without paint.',
      [/^join: Old harbors cannot be deepened\. for –$/],
    ],
    [
      'with an ellipsis',
      'In 1,250 harbors the tides rose by 12 cm … and two boats did not sink.',
      [/^marked_omission: … for within .*\),$/],
    ],
    [
      'with an ellipsis for nothing but a negation',
      'In 1,250 harbors the tides rose by 12 cm within 3 days (p < 0.05), and two boats did [...] sink.',
      [/^negation: – for not$/, /^marked_omission: \[...\] for –$/],
    ],
    [
      'with words left out',
      'No unstable hull was found although the crews had failed to clean any of them.',
      [/^negation: – for without paint,$/],
    ],
  ])('%s', (_, quote, changes) => {
    expect(named(quote)).toEqual(changes.map((change) => expect.stringMatching(change)));
  });
});
