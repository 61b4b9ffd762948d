/**
 * What the assessments say if the index lacks a share of the true references: how many true ones are called
 * fabricated, and how many fabricated ones are.
 */
import { join } from 'node:path';
import { createRandom, shuffle } from '../measure/random.ts';
import type { BenchmarkEntry } from './entries.ts';
import {
  addEntries,
  type Benchmark,
  isMatch,
  type Judged,
  judge,
  openFor,
  type Section,
  share,
} from './judge.ts';

/** With 0.02, requests of 100 have the few misses that count. */
const SHARES_MISSING = [0, 0.02, 0.2, 0.5, 1] as const;
/** Where there is something to draw. */
const DRAWS = 3;
const EVERYTHING = [{ text: '*' }];

/** An index cannot be made of nothing. */
const STRANGER: BenchmarkEntry = {
  key: 'stranger',
  type: 'article',
  fields: { title: 'A paper that the benchmark does not name', year: '1900' },
  label: 'valid',
  kind: null,
};

type Tally = Record<'trueOnes' | 'fabricated', Judged[]>;

/** How references come: alone, 30 of all kinds together, or as in a bibliography, where most are true. */
const shapes = {
  'one by one': { perRequest: 1, mix: mixAll },
  '30, half fabricated': { perRequest: 30, mix: mixAll },
  '100, two fabricated': { perRequest: 100, mix: mixFew },
} as const;

type Shape = (typeof shapes)[keyof typeof shapes];

export async function loseTrueOnes(benchmark: Benchmark): Promise<Section> {
  const { scratch, indexed, vectors } = benchmark;
  const tallies = new Map<string, Tally>();
  const add = (name: string, judged: readonly Judged[]): void => {
    const tally = tallies.get(name) ?? { trueOnes: [], fabricated: [] };
    tallies.set(name, tally);
    for (const one of judged) {
      (one.entry.label === 'valid' ? tally.trueOnes : tally.fabricated).push(one);
    }
  };
  for (const missing of SHARES_MISSING) {
    for (let draw = 1; draw <= (missing > 0 && missing < 1 ? DRAWS : 1); draw++) {
      const path = join(scratch, `missing-${missing}-${draw}.db`);
      const order = shuffle(indexed, createRandom(`missing ${draw}`));
      const kept = order.slice(Math.round(missing * order.length));
      await addEntries(path, [STRANGER, ...kept], vectors);
      for (const [name, shape] of Object.entries(shapes)) {
        const index = { path, draw };
        add(`${missing}, ${name}`, await judgeShape(benchmark, shape, index));
        if (missing > 0) continue;
        // Only here the declaration is true.
        const judged = await judgeShape(benchmark, shape, { ...index, complete: EVERYTHING });
        add(`${missing}, ${name}, declared complete`, judged);
      }
    }
  }
  const rows = [...tallies].map(([name, tally]) => rowOf(name, tally));
  const head = ['missing, requests', 'true', 'called fabricated', 'fabricated'];
  return {
    report: { missing: rows },
    shown: [
      '\nAssessments by the share of true references that the index lacks',
      { head: [...head, 'detected', 'called fabricated', 'called real'], rows },
    ],
    wrong: [...tallies.values()].flatMap(({ trueOnes }) => trueOnes.filter(isCalled)),
  };
}

async function judgeShape(
  { trueOnes, fabricated }: Benchmark,
  { perRequest, mix }: Shape,
  index: { path: string; draw: number; complete?: typeof EVERYTHING },
): Promise<Judged[]> {
  const opened = await openFor(index.path, index.complete);
  const seed = `requests ${index.draw}`;
  const [ones, others] = [trueOnes, fabricated].map((entries, at) =>
    shuffle(entries, createRandom(`${seed} ${at}`)),
  ) as [BenchmarkEntry[], BenchmarkEntry[]];
  return judge(opened, mix(ones, others, seed), perRequest).finally(opened.close);
}

type Entries = readonly BenchmarkEntry[];

function mixAll(trueOnes: Entries, fabricated: Entries, seed: string): BenchmarkEntry[] {
  return shuffle([...trueOnes, ...fabricated], createRandom(seed));
}

/** Two fabricated ones after each 98 true ones, until either ends. */
function mixFew(trueOnes: Entries, fabricated: Entries): BenchmarkEntry[] {
  const requests = Math.floor(trueOnes.length / 98);
  return Array.from({ length: requests }, (_, at) => [
    ...trueOnes.slice(at * 98, (at + 1) * 98),
    ...fabricated.slice(at * 2, (at + 1) * 2),
  ]).flat();
}

function isCalled({ result: { assessment } }: Judged): boolean {
  return assessment === 'likely_fabricated';
}

function rowOf(name: string, { trueOnes, fabricated }: Tally): string[] {
  const called = (all: readonly Judged[]): string => share(all.filter(isCalled).length, all.length);
  const real = fabricated.filter(({ result }) => result.assessment === 'likely_real').length;
  return [
    ...[name, String(trueOnes.length), called(trueOnes), String(fabricated.length)],
    share(fabricated.filter(({ result }) => !isMatch(result)).length, fabricated.length),
    ...[called(fabricated), share(real, fabricated.length)],
  ];
}
