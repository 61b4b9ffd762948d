/**
 * Measures `verbatim verify` on a benchmark of true and fabricated references. Its folder has `dev.jsonl`,
 * the references to judge, and `true-entries.jsonl`. The index holds the latter and the true ones of the
 * former. A fabricated reference counts as detected, and a true one as a false positive, with any verdict
 * but `match`.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VerbatimError } from '../../src/errors.ts';
import { readSettings } from '../../src/settings/config.ts';
import { type OpenVerify, openVerify, type VerifyResult } from '../../src/verify/open-verify.ts';
import { openOptions } from '../measure/databases.ts';
import { count, flag, positionals, text, type ValuesOf } from '../measure/options.ts';
import { runVerbatim } from '../measure/processes.ts';
import { countsOf, type Outcome, type Table } from '../measure/report.ts';
import { defineMeasurement } from '../measure/run.ts';
import { groupBy } from '../measure/statistics.ts';
import { inTemporaryFolder } from '../measure/temporary-folder.ts';
import { indistinguishable } from './ceiling.ts';
import { type BenchmarkEntry, readEntries, toBibtex } from './entries.ts';
import { judgePrinted } from './print.ts';
import { variantOf, variants } from './variants.ts';

const options = {
  folder: positionals('the folder of the benchmark', 'FOLDER'),
  db: text('keep the index there for the next run'),
  wrong: count(0, 'print so many wrong verdicts'),
  print: flag('judge the references in nine styles instead'),
};

export const measurement = defineMeasurement({
  options,
  run: (values) => inTemporaryFolder('references', (folder) => evaluate(values, folder)),
});

async function evaluate(values: ValuesOf<typeof options>, scratch: string): Promise<Outcome> {
  const [from] = values.folder;
  if (from === undefined) throw new VerbatimError('usage', 'name the folder of the benchmark');
  const dev = readEntries(join(from, 'dev.jsonl'));
  const trueOnes = dev.filter(({ label }) => label === 'valid');
  const fabricated = dev.filter(({ label }) => label !== 'valid');
  const others = readEntries(join(from, 'true-entries.jsonl'));
  const path = values.db ?? join(scratch, 'index.db');
  if (!existsSync(path)) {
    const files = ['true.bib', 'others.bib'].map((name) => join(scratch, name));
    for (const [at, entries] of [trueOnes, others].entries()) {
      writeFileSync(files[at] ?? '', entries.map(toBibtex).join('\n'));
    }
    await runVerbatim(['index', 'add', ...files, '--db', path, '--config', 'none']);
  }
  const opened = await openVerify({ store: openOptions(path), limits: readSettings({}, {}) });
  if (values.print) {
    const { table, wrong } = await judgePrinted(opened, trueOnes, fabricated);
    await opened.close();
    const shown = wrong.slice(0, values.wrong).map((each) => JSON.stringify(each));
    return { report: { styles: table.rows }, shown: [table, ...shown] };
  }
  const detected = await judgeFabricated(opened, fabricated, [...trueOnes, ...others]);
  const kept = await judgeTrue(opened, trueOnes);
  await opened.close();
  const wrong = [...detected.wrong, ...kept.wrong].slice(0, values.wrong);
  return {
    report: { fabricated: detected.table.rows, true: kept.table.rows, meanMs: kept.meanMs },
    shown: [
      ...['\nFabricated references', detected.table, '\nTrue references', kept.table],
      `\n${kept.meanMs.toFixed(2)} ms a reference, mean`,
      ...wrong.map((each) => JSON.stringify(each)),
    ],
  };
}

interface Judged {
  entry: BenchmarkEntry;
  result: VerifyResult;
}

async function judge(opened: OpenVerify, entries: readonly BenchmarkEntry[]): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (const entry of entries) {
    const [result] = await opened.verify([{ reference: toBibtex(entry) }]);
    judged.push({ entry, result: result as VerifyResult });
  }
  return judged;
}

function isMatch({ result }: Judged): boolean {
  return result.verdict === 'match';
}

async function judgeFabricated(
  opened: OpenVerify,
  fabricated: readonly BenchmarkEntry[],
  indexed: readonly BenchmarkEntry[],
): Promise<{ table: Table; wrong: Judged[] }> {
  const hidden = new Set(indistinguishable(fabricated, indexed));
  const judged = await judge(opened, fabricated);
  const kinds = groupBy(judged, ({ entry }) => entry.kind ?? '');
  const rowOf = (name: string, all: readonly Judged[]): string[] => {
    const detectable = all.filter(({ entry }) => !hidden.has(entry)).length;
    const detected = all.filter((one) => !isMatch(one)).length;
    const shares = [share(detected, all.length), share(detectable, all.length)];
    return [name, String(all.length), String(detected), ...shares, countVerdicts(all)];
  };
  const rows = [...kinds].sort().map(([kind, all]) => rowOf(kind, all));
  const head = ['kind', 'references', 'detected', 'detection', 'ceiling', 'verdicts'];
  const wrong = judged.filter((one) => isMatch(one) && !hidden.has(one.entry));
  return { table: { head, rows: [...rows, rowOf('all', judged)] }, wrong };
}

async function judgeTrue(
  opened: OpenVerify,
  trueOnes: readonly BenchmarkEntry[],
): Promise<{ table: Table; wrong: Judged[]; meanMs: number }> {
  const rows: string[][] = [];
  const wrong: Judged[] = [];
  const startedMs = performance.now();
  let references = 0;
  for (const name of Object.keys(variants)) {
    const entries = trueOnes.flatMap((entry, at) => variantOf(entry, name, at) ?? []);
    const judged = await judge(opened, entries);
    const falsePositives = judged.filter((one) => !isMatch(one));
    wrong.push(...falsePositives);
    references += entries.length;
    const counts = [entries.length, falsePositives.length].map(String);
    rows.push([
      name,
      ...counts,
      share(falsePositives.length, entries.length),
      countVerdicts(judged),
    ]);
  }
  const meanMs = (performance.now() - startedMs) / references;
  const head = ['variant', 'references', 'false positives', 'share', 'verdicts'];
  return { table: { head, rows }, wrong, meanMs };
}

function share(count: number, of: number): string {
  return of === 0 ? '-' : (count / of).toFixed(3);
}

function countVerdicts(judged: readonly Judged[]): string {
  const groups = [...groupBy(judged, ({ result }) => result.verdict)].sort();
  return countsOf(Object.fromEntries(groups.map(([verdict, all]) => [verdict, all.length])));
}
