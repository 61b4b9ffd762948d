/**
 * Builds an index of a file of several gigabytes, to show that the builder's memory does not depend on the
 * size of the file. The first records are new papers, whose vectors come from a file. The others repeat them
 * with few changes (records.ts), so almost nothing is embedded.
 */
import { once } from 'node:events';
import { createWriteStream, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeCounts } from '../../src/commands/cli/output.ts';
import type { BuildReport } from '../../src/commands/index/build-report.ts';
import { bundlePath } from '../../src/settings/bundle.ts';
import { formatBytes } from '../../src/text/format-bytes.ts';
import { formatNumber } from '../../src/text/format-number.ts';
import { count, type ValuesOf } from '../measure/options.ts';
import { finish, runVerbatim, startNode } from '../measure/processes.ts';
import { atMost, type Outcome, tableOf } from '../measure/report.ts';
import { defineMeasurement } from '../measure/run.ts';
import { residentBytesOf } from '../measure/server.ts';
import { inTemporaryFolder } from '../measure/temporary-folder.ts';
import { lines, sentences } from './records.ts';

const RESIDENT_BYTES_MAX = 1_000_000_000;
const POLL_MS = 100;

const options = {
  megabytes: count(3_000, 'size of the file', 3),
  documents: count(20_000, 'number of new papers; the other records repeat them', 200),
};

export const measurement = defineMeasurement({
  options,
  notes: `Exits 1 if the build takes more than 1 GB of memory, or loses a record. TMPDIR says where the file and
the index are made and removed again.`,
  run: (values) => inTemporaryFolder('large', (folder) => buildLarge(values, folder)),
});

async function buildLarge(values: ValuesOf<typeof options>, folder: string): Promise<Outcome> {
  const file = join(folder, 'large.jsonl');
  const records = await writeRecords(file, values);
  const vectors = await writeVectors(folder);
  const database = join(folder, 'index.db');
  const add = ['index', 'add', file, '--db', database, '--embeddings', vectors];
  const { report, seconds, residentBytesMax } = await build(add);
  const { read, added, updated, unchanged, skippedBy } = report;
  const { size: bytes } = statSync(file);
  const told = {
    file: formatBytes(bytes),
    records: `${formatNumber(read)}: ${describeCounts({ added, updated, unchanged })}`,
    skipped: describeCounts(skippedBy),
    time: `${Math.round(seconds)} s`,
    index: formatBytes(statSync(database).size),
  };
  const memory = 'memory of the builder at most';
  const rows = [
    ...Object.entries(told).map(([measure, value]) => ({ measure, value })),
    atMost(memory, residentBytesMax, RESIDENT_BYTES_MAX, formatBytes),
  ];
  const isWhole = read === records && added === values.documents;
  return {
    report: { ...report, seconds, residentBytesMax },
    shown: [tableOf('large', rows)],
    wrong: isWhole ? [] : [`the file has ${records} records, and ${values.documents} papers`],
    isMissed: residentBytesMax > RESIDENT_BYTES_MAX,
  };
}

/** Returns the number of records. */
async function writeRecords(
  path: string,
  { megabytes, documents }: { megabytes: number; documents: number },
): Promise<number> {
  const file = createWriteStream(path);
  let records = 0;
  let bytes = 0;
  for (const line of lines(documents)) {
    records++;
    bytes += line.length;
    if (!file.write(line)) await once(file, 'drain');
    if (bytes >= megabytes * 1e6) break;
  }
  file.end();
  await once(file, 'close');
  return records;
}

/** Writes a file with the vectors of all texts, as a separate embedding machine would. */
async function writeVectors(folder: string): Promise<string> {
  const path = join(folder, 'sentences.jsonl');
  const vectors = join(folder, 'sentences.vectors');
  const records = sentences().map((title, n) => `${JSON.stringify({ id: `s${n}`, title })}\n`);
  writeFileSync(path, records.join(''));
  await runVerbatim(['index', 'embed', path, '--out', vectors]);
  return vectors;
}

/** Runs a build, whose progress goes to standard error, and measures its memory. */
async function build(args: readonly string[]) {
  const started = performance.now();
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const child = startNode([bundlePath(), ...args, '--json'], { stdio: [...stdio] });
  let residentBytesMax = 0;
  const timer = setInterval(() => {
    const bytes = residentBytesOf(child.pid ?? 0, 'VmHWM') ?? 0;
    residentBytesMax = Math.max(residentBytesMax, bytes);
  }, POLL_MS);
  const printed = await finish(child, 'the build').finally(() => clearInterval(timer));
  const seconds = (performance.now() - started) / 1000;
  return { report: JSON.parse(printed) as BuildReport, seconds, residentBytesMax };
}
