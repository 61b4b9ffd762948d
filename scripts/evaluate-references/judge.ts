/** Judges the references of a benchmark, and counts. */
import { writeFileSync } from 'node:fs';
import { readSettings } from '../../src/settings/config.ts';
import { type OpenVerify, openVerify } from '../../src/verify/open-verify.ts';
import type { CompleteSet } from '../../src/verify/references/coverage.ts';
import type { ReferenceResult } from '../../src/verify/references/verify-reference.ts';
import { openOptions } from '../measure/databases.ts';
import { runVerbatim } from '../measure/processes.ts';
import { countsOf, type Table } from '../measure/report.ts';
import { groupBy } from '../measure/statistics.ts';
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

/** Writes entries as BibTeX. Returns the path. */
export function writeBibtexFile(path: string, entries: readonly BenchmarkEntry[]): string {
  writeFileSync(path, entries.map(toBibtex).join('\n'));
  return path;
}

/** Adds entries to an index. `vectors` is a file of `index embed`. */
export async function addEntries(
  path: string,
  entries: readonly BenchmarkEntry[],
  vectors?: string,
): Promise<void> {
  const embeddings = vectors === undefined ? [] : ['--embeddings', vectors];
  const file = writeBibtexFile(`${path}.bib`, entries);
  await runVerbatim(['index', 'add', file, '--db', path, ...embeddings, '--config', 'none']);
}

/** Opens an index that is declared complete for `complete`. */
export function openFor(path: string, complete: readonly CompleteSet[] = []): Promise<OpenVerify> {
  return openVerify({ store: openOptions(path), limits: readSettings({}, {}), complete });
}

/** Verifies entries in requests of so many. */
export async function judge(
  { verify }: OpenVerify,
  entries: readonly BenchmarkEntry[],
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
  const groups = [...groupBy(judged, ({ result }) => result[field] ?? '')].sort();
  return countsOf(Object.fromEntries(groups.map(([value, all]) => [value, all.length])));
}
