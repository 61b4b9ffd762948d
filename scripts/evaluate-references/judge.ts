/** Judges the references of a benchmark, and counts. */
import { writeFileSync } from 'node:fs';
import { readSettings } from '../../src/settings/config.ts';
import { type OpenVerify, openVerify } from '../../src/verify/open-verify.ts';
import type { CompleteSet } from '../../src/verify/references/coverage.ts';
import type { ReferenceResult } from '../../src/verify/references/verify-reference.ts';
import { openOptions } from '../measure/databases.ts';
import { runVerbatim } from '../measure/processes.ts';
import { countsOf, type Table } from '../measure/report.ts';
import { countBy } from '../measure/statistics.ts';
import { type BenchmarkEntry, toBibtex } from './entries.ts';

/** The references that the sections judge, and the index of all true ones. */
export interface Benchmark {
  folder: string;
  /** For indexes and files that nobody needs later. */
  scratch: string;
  fabricated: readonly BenchmarkEntry[];
  trueOnes: readonly BenchmarkEntry[];
  /** Everything in the index: the true ones and more. */
  indexed: readonly BenchmarkEntry[];
  /** The file of `index embed` with the vectors of all of these. */
  vectors: string;
  opened: OpenVerify;
}

export interface Section {
  report: object;
  shown: readonly (string | Table)[];
  /** Wrong verdicts. */
  wrong?: readonly object[];
}

export interface Judged {
  entry: BenchmarkEntry;
  result: ReferenceResult;
}

type Entries = readonly BenchmarkEntry[];

/** Writes the vectors of entries. Resolves to the path. */
export async function embedEntries(path: string, entries: Entries): Promise<string> {
  const file = writeBibtexFile(path, entries);
  await runVerbatim(['index', 'embed', file, '--out', path, '--config', 'none']);
  return path;
}

/** Adds entries, whose vectors are in a file, to an index. */
export async function addEntries(path: string, entries: Entries, vectors: string): Promise<void> {
  const file = writeBibtexFile(path, entries);
  const options = ['--db', path, '--embeddings', vectors, '--config', 'none'];
  await runVerbatim(['index', 'add', file, ...options]);
}

function writeBibtexFile(path: string, entries: Entries): string {
  const file = `${path}.bib`;
  writeFileSync(file, entries.map(toBibtex).join('\n'));
  return file;
}

/** Opens an index that is declared complete for `complete`. */
export function openFor(path: string, complete: readonly CompleteSet[] = []): Promise<OpenVerify> {
  return openVerify({ store: openOptions(path), limits: readSettings({}, {}), complete });
}

/** Verifies entries in requests of so many. */
export async function judge(
  { verify }: OpenVerify,
  entries: Entries,
  perRequest = 1,
): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (let at = 0; at < entries.length; at += perRequest) {
    const request = entries.slice(at, at + perRequest);
    const items = request.map((entry) => ({ reference: toBibtex(entry) }));
    const results = (await verify(items, { include: ['assessment'] })) as ReferenceResult[];
    judged.push(...request.map((entry, i) => ({ entry, result: results[i] as ReferenceResult })));
  }
  return judged;
}

/** Whether the verdict says that the work is there and nothing is wrong. */
export function isMatch({ verdict }: ReferenceResult): boolean {
  return verdict === 'match' || verdict === 'match_unverified';
}

export function share(count: number, of: number): string {
  return of === 0 ? '-' : (count / of).toFixed(3);
}

/** The values of a field with their numbers: `match 17, not_found 2`. */
export function counted(
  judged: readonly Judged[],
  field: 'verdict' | 'assessment' = 'verdict',
): string {
  return countsOf(countBy(judged.map(({ result }) => result[field] ?? '').sort()));
}
