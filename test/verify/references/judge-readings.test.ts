/** Which documents are read to judge a reference. */
import { expect, it } from 'vitest';
import { mergeRecords } from '../../../src/identity/merge-records.ts';
import {
  judgeReadings,
  type ReferenceDeps,
} from '../../../src/verify/references/judge-readings.ts';
import { newTexBudget } from '../../../src/verify/references/read-bibtex.ts';
import { readReference } from '../../../src/verify/references/read-reference.ts';
import { recordOf } from '../../identity/records.ts';

/** The title of the document of each number, and what its records call it. */
const TITLES = [
  ['Tides of the northern shore'],
  ['Moons of the outer shore', 'Tides of the Northern Shore: A survey'],
  ['Winds in summer'],
  ['Tides of the northern shores'],
  ['Sands and stones'],
];

/** The documents that are read if each of them has some of the reference's words. */
async function readFor(reference: string, identified: readonly number[] = []): Promise<number[]> {
  const read = new Set<number>();
  const deps: ReferenceDeps = {
    complete: [],
    async ofDocuments(numbers) {
      for (const number of numbers) read.add(number);
      return numbers.map((number) =>
        mergeRecords([recordOf({ title: TITLES[number]?.[0] ?? '' })]),
      );
    },
    titlesOf: async (numbers) =>
      numbers.map((number) => ({ number, titles: TITLES[number] ?? [] })),
    byTitle: async () => [0, 2],
    byWords: async () => [0, 1, 2, 3, 4],
    byIdentifiers: async () => [...identified],
  };
  await judgeReadings(await readReference(reference, newTexBudget()), deps);
  return [...read].sort();
}

it('reads those with a title that the text has or that is like one of its titles', async () => {
  expect(
    await readFor('A. Berg (2020). Tides of the northern shore and islands. Annals, 3.'),
  ).toEqual([0, 1, 3]);
  expect(await readFor('A. Berg, Sands and stones, Annals 3, 2020')).toEqual([4]);
});

it('reads none if nothing has such a title', async () => {
  expect(await readFor('A. Berg (2020). Clouds over fields and forests. Annals, 3.')).toEqual([]);
});

it('reads those with its identifier, and other versions of them', async () => {
  const text = 'A. Berg (2020). Clouds over fields and forests. https://doi.org/10.5555/tides';
  expect(await readFor(text, [0])).toEqual([0, 1, 3]);
});
