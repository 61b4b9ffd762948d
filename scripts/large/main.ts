/**
 * `npm run large`: builds an index of a file of several gigabytes. It shows that the builder's memory
 * does not depend on the size of the file. All files are in a temporary folder.
 *
 * The first records are new papers. Their vectors come from a file. All other records repeat these
 * papers with few changes: see records.ts. The run therefore covers reading, matching, planning,
 * updating and writing at any size. It embeds only the texts that check the file of vectors.
 *
 * Exits with 1 if the builder used too much memory, or if a record was lost.
 */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import { parseCount } from '../../src/commands/cli/options.ts';
import { describeCounts, formatNumber } from '../../src/commands/cli/output.ts';
import type { BuildReport } from '../../src/commands/index/build-report.ts';
import { formatBytes } from '../../src/text/format-bytes.ts';
import { type Measured, measure } from './builder.ts';
import { lines, sentences } from './records.ts';

const RESIDENT_BYTES_MAX = 1_000_000_000;
const LINES_PER_CHUNK = 256;

interface Options {
  megabytes: number;
  documents: number;
  folder: string;
}

const command = new Command('large')
  .description('build an index of a large file, and print the memory that the build used')
  .option('--megabytes <n>', 'size of the file', parseCount, 3_000)
  .option('--documents <n>', 'number of new papers', parseCount, 20_000)
  .option('--folder <dir>', 'parent of the temporary folder', tmpdir())
  .parse();
const { folder: parent, ...options } = command.opts<Options>();
const folder = await mkdtemp(join(parent, 'verbatim-large-'));
try {
  const { path, records } = await writeRecords(options);
  const vectors = await writeVectors();
  const database = join(folder, 'index.db');
  const add = ['index', 'add', path, '--db', database, '--embeddings', vectors];
  const built = await measure<BuildReport>(add);
  const { size } = await stat(path);
  print(built, { bytes: size, databaseBytes: (await stat(database)).size });
  const isWhole = built.report.read === records && built.report.added === options.documents;
  if (!isWhole) process.stderr.write(`large: the file has ${records} records\n`);
  if (!isWhole || built.residentBytesMax > RESIDENT_BYTES_MAX) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function writeRecords({
  megabytes,
  documents,
}: Omit<Options, 'folder'>): Promise<{ path: string; records: number }> {
  const path = join(folder, 'large.jsonl');
  let records = 0;
  function* chunks(): Generator<string> {
    let bytes = 0;
    let waiting: string[] = [];
    for (const line of lines(documents)) {
      records++;
      bytes += line.length;
      waiting.push(line);
      const isOver = bytes >= megabytes * 1e6;
      if (!isOver && waiting.length < LINES_PER_CHUNK) continue;
      yield waiting.join('');
      waiting = [];
      if (isOver) return;
    }
  }
  await pipeline(Readable.from(chunks()), createWriteStream(path));
  return { path, records };
}

/** Writes a file with the vectors of all texts, as a separate embedding machine would. */
async function writeVectors(): Promise<string> {
  const path = join(folder, 'sentences.jsonl');
  const vectors = join(folder, 'sentences.vectors');
  const records = sentences().map((title, n) => `${JSON.stringify({ id: `s${n}`, title })}\n`);
  await writeFile(path, records.join(''));
  await measure(['index', 'embed', path, '--out', vectors]);
  return vectors;
}

function print(
  { report, seconds, residentBytesMax }: Measured<BuildReport>,
  { bytes, databaseBytes }: { bytes: number; databaseBytes: number },
): void {
  const { read, added, updated, unchanged, skippedBy } = report;
  const rows = [
    ['file', formatBytes(bytes)],
    ['records', `${formatNumber(read)}: ${describeCounts({ added, updated, unchanged })}`],
    ['skipped', describeCounts(skippedBy)],
    ['time', `${Math.round(seconds)} s`],
    ['rate', `${formatBytes(bytes / seconds)}/s, ${formatNumber(Math.round(read / seconds))}/s`],
    ['index', formatBytes(databaseBytes)],
    [
      'memory of the builder at most',
      `${formatBytes(residentBytesMax)} (must: ${formatBytes(RESIDENT_BYTES_MAX)})`,
    ],
  ];
  for (const [what, value] of rows) process.stdout.write(`${what?.padEnd(30)} ${value}\n`);
}
