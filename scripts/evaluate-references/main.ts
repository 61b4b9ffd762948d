/**
 * Measures `verbatim verify` on a benchmark of true and fabricated references.
 *
 *   npm run evaluate:references -- FOLDER [--db FILE] [--wrong N]
 *
 * FOLDER has `dev.jsonl`, the references to judge, and `true-entries.jsonl`. The index holds the
 * latter and the true ones of the former. A fabricated reference counts as detected, and a true one
 * as a false positive, with any verdict but `match`. `--db FILE` keeps the index for the next run.
 * `--wrong N` prints the first N wrong verdicts.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundlePath } from '../../src/bundle.ts';
import { VerbatimError } from '../../src/errors.ts';
import { readSettings } from '../../src/settings/config.ts';
import { type OpenVerify, openVerify, type VerifyResult } from '../../src/verify/open-verify.ts';
import { runMain } from '../bench/run-main.ts';
import { indistinguishable } from './ceiling.ts';
import { type BenchmarkEntry, groupBy, readEntries, toBibtex } from './entries.ts';
import { printTable } from './print-table.ts';
import { variantOf, variants } from './variants.ts';

await runMain('evaluate:references', async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { wrong: { type: 'string', default: '0' }, db: { type: 'string' } },
  });
  const [folder] = positionals;
  if (folder === undefined) {
    const usage = 'usage: npm run evaluate:references -- FOLDER [--db FILE] [--wrong N]';
    throw new VerbatimError('usage', usage);
  }
  await evaluate(folder, Number(values.wrong), values.db);
});

async function evaluate(from: string, wrongMax: number, keptIndex?: string): Promise<void> {
  const dev = readEntries(join(from, 'dev.jsonl'));
  const trueOnes = dev.filter(({ label }) => label === 'valid');
  const fabricated = dev.filter(({ label }) => label !== 'valid');
  const others = readEntries(join(from, 'true-entries.jsonl'));
  const scratch = mkdtempSync(join(tmpdir(), 'verbatim-references-'));
  try {
    const path = keptIndex ?? join(scratch, 'index.db');
    if (!existsSync(path))
      buildIndex(path, { 'true.bib': trueOnes, 'others.bib': others }, scratch);
    const opened = await openVerify({
      store: { path, lockWaitMs: 1000 },
      limits: readSettings({}, {}),
    });
    const wrong = [
      ...(await judgeFabricated(opened, fabricated, [...trueOnes, ...others])),
      ...(await judgeTrue(opened, trueOnes)),
    ];
    await opened.close();
    for (const each of wrong.slice(0, wrongMax)) console.log(JSON.stringify(each));
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Builds an index with the program itself. */
function buildIndex(
  database: string,
  files: Record<string, readonly BenchmarkEntry[]>,
  scratch: string,
): void {
  for (const [name, entries] of Object.entries(files)) {
    const path = join(scratch, name);
    writeFileSync(path, entries.map(toBibtex).join('\n'));
    const args = [bundlePath(), 'index', 'add', path, '--db', database, '--config', 'none'];
    execFileSync(process.execPath, args, { stdio: 'pipe' });
  }
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
): Promise<Judged[]> {
  const hidden = new Set(indistinguishable(fabricated, indexed));
  const judged = await judge(opened, fabricated);
  const kinds = groupBy(judged, ({ entry }) => entry.kind ?? '');
  const rowOf = (name: string, all: readonly Judged[]): string[] => {
    const detectable = all.filter(({ entry }) => !hidden.has(entry)).length;
    const detected = all.filter((one) => !isMatch(one)).length;
    return [
      ...[name, String(all.length), String(detected), share(detected, all.length)],
      share(detectable, all.length),
      countVerdicts(all),
    ];
  };
  const rows = [...kinds].sort().map(([kind, all]) => rowOf(kind, all));
  console.log('Fabricated references');
  const head = ['kind', 'references', 'detected', 'detection', 'ceiling', 'verdicts'];
  printTable(head, [...rows, rowOf('all', judged)]);
  return judged.filter((one) => isMatch(one) && !hidden.has(one.entry));
}

async function judgeTrue(
  opened: OpenVerify,
  trueOnes: readonly BenchmarkEntry[],
): Promise<Judged[]> {
  const rows: string[][] = [];
  const wrong: Judged[] = [];
  const times: number[] = [];
  for (const name of Object.keys(variants)) {
    const entries = trueOnes.flatMap((entry, at) => variantOf(entry, name, at) ?? []);
    const startedMs = performance.now();
    const judged = await judge(opened, entries);
    times.push((performance.now() - startedMs) / Math.max(1, entries.length));
    const falsePositives = judged.filter((one) => !isMatch(one));
    wrong.push(...falsePositives);
    const count = falsePositives.length;
    rows.push([
      name,
      String(entries.length),
      String(count),
      share(count, entries.length),
      countVerdicts(judged),
    ]);
  }
  console.log('\nTrue references');
  printTable(['variant', 'references', 'false positives', 'share', 'verdicts'], rows);
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  console.log(`\n${mean.toFixed(2)} ms a reference, mean`);
  return wrong;
}

function share(count: number, of: number): string {
  return of === 0 ? '-' : (count / of).toFixed(3);
}

function countVerdicts(judged: readonly Judged[]): string {
  const counts = groupBy(judged, ({ result }) => result.verdict);
  return [...counts]
    .sort()
    .map(([verdict, all]) => `${verdict} ${all.length}`)
    .join(', ');
}
