/** Detection with all true references in the index, and harmless and careless variants of these. */
import type { Table } from '../measure/report.ts';
import { groupBy } from '../measure/statistics.ts';
import { indistinguishable } from './ceiling.ts';
import type { Benchmark, Judged, Section } from './judge.ts';
import { counted, isMatch, judge, share } from './judge.ts';
import { careless, harmless, type Variants, variantOf } from './variants.ts';

/** A fabricated reference counts as detected with any verdict but `match` and `match_unverified`. */
export async function detectFabricated({
  opened,
  fabricated,
  indexed,
}: Benchmark): Promise<Section> {
  const hidden = new Set(indistinguishable(fabricated, indexed));
  const judged = await judge(opened, fabricated);
  const kinds = groupBy(judged, ({ entry }) => entry.kind ?? '');
  const rowOf = (name: string, all: readonly Judged[]): string[] => {
    const detectable = all.filter(({ entry }) => !hidden.has(entry)).length;
    const detected = all.filter(({ result }) => !isMatch(result)).length;
    const shares = [share(detected, all.length), share(detectable, all.length)];
    return [name, String(all.length), String(detected), ...shares, counted(all)];
  };
  const rows = [...kinds].sort().map(([kind, all]) => rowOf(kind, all));
  const head = ['kind', 'references', 'detected', 'detection', 'ceiling', 'verdicts'];
  const table = { head, rows: [...rows, rowOf('all', judged)] };
  return {
    report: { fabricated: table.rows },
    shown: ['\nFabricated references', table],
    wrong: judged.filter(({ entry, result }) => isMatch(result) && !hidden.has(entry)),
  };
}

/** A harmless variant must stay `match`, and a careless one must not be called fabricated. */
export async function varyTrueOnes(benchmark: Benchmark): Promise<Section> {
  const kept = await judgeVariants(benchmark, harmless, ({ result }) => result.verdict !== 'match');
  const accused = await judgeVariants(
    benchmark,
    careless,
    ({ result }) => result.assessment === 'likely_fabricated',
  );
  const head = (wrong: string): string[] => ['variant', 'references', wrong, 'share', 'verdicts'];
  return {
    report: { true: kept.rows, careless: accused.rows },
    shown: [
      '\nTrue references',
      { head: head('no match'), rows: kept.rows },
      '\nTrue references with a mistake',
      { head: head('likely fabricated'), rows: accused.rows },
    ],
    wrong: [...kept.wrong, ...accused.wrong],
  };
}

async function judgeVariants(
  { opened, trueOnes }: Benchmark,
  variants: Variants,
  isWrong: (judged: Judged) => boolean,
): Promise<{ rows: Table['rows'] & string[][]; wrong: Judged[] }> {
  const rows: string[][] = [];
  const wrong: Judged[] = [];
  for (const [name, vary] of Object.entries(variants)) {
    const entries = trueOnes.flatMap((entry, at) => variantOf(entry, vary, at) ?? []);
    const judged = await judge(opened, entries);
    const own = judged.filter(isWrong);
    wrong.push(...own);
    const counts = [entries.length, own.length].map(String);
    rows.push([name, ...counts, share(own.length, entries.length), counted(judged)]);
  }
  return { rows, wrong };
}
