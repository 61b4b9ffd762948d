/** `verbatim index export`: writes all documents as JSON Lines that `index add` can read. */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import { messageOf, VerbatimError } from '../../errors.ts';
import { verbatimLine } from '../../ingest/formats/verbatim.ts';
import { formatNumber } from '../../text/format-number.ts';
import type { SourceRecord } from '../../types.ts';
import { type CommonOptions, settingsOf, withStoreOptions } from '../cli/options.ts';
import { print, printJson } from '../cli/output.ts';
import { withOperatorIndex } from '../cli/with-operator-index.ts';

interface ExportOptions extends CommonOptions {
  out: string;
}

const LINES_PER_CHUNK = 100;

export function indexExportCommand(): Command {
  return withStoreOptions(new Command('export'))
    .description('write all documents as JSON Lines that `index add` can read again')
    .option('--out <file>', 'output file, or - for standard output', '-')
    .addHelpText(
      'after',
      `
Examples:
  verbatim index export | gzip > papers.jsonl.gz
  verbatim index export --out papers.jsonl

A document merged from several sources is written as one record. With --out FILE, --json prints the
count. Damaged documents are left out; then it says how many, and exits with 1.

An export is a list of papers. It has no sources, no reports of builds, and nothing of papers that
\`index remove\` keeps out: an index made from it takes them again. \`verbatim backup\` has all of it.`,
    )
    .action(async (options: ExportOptions) => {
      await withOperatorIndex(settingsOf(options), async (index) => {
        const lines = chunks(index.records());
        if (options.out === '-') {
          const { written, counts } = counting(lines);
          await pipeline(Readable.from(written), process.stdout, { end: false });
          assertWhole(counts());
          return;
        }
        const counts = await exportTo(lines, options.out);
        const { documents, leftOut } = counts;
        if (options.json) printJson({ documents, leftOut, file: options.out });
        else print(`${formatNumber(documents)} documents written to ${options.out}`);
        assertWhole(counts);
      });
    });
}

interface ExportCounts {
  documents: number;
  /** Documents that are damaged. */
  leftOut: number;
}

/** Throws `verify_failed` if documents were left out. */
function assertWhole({ documents, leftOut }: ExportCounts): void {
  if (leftOut === 0) return;
  throw new VerbatimError(
    'verify_failed',
    `${formatNumber(leftOut)} of ${formatNumber(documents + leftOut)} documents are damaged and were ` +
      'left out; `verbatim index verify` lists what is damaged',
  );
}

/** The same lines, and what they counted when all were read. */
function counting(lines: AsyncGenerator<string, ExportCounts>) {
  let counts: ExportCounts = { documents: 0, leftOut: 0 };
  async function* written(): AsyncGenerator<string> {
    counts = yield* lines;
  }
  return { written: written(), counts: () => counts };
}

/** Writes under another name until the file is complete. */
async function exportTo(
  lines: AsyncGenerator<string, ExportCounts>,
  path: string,
): Promise<ExportCounts> {
  const part = `${path}.part`;
  const { written, counts } = counting(lines);
  try {
    await pipeline(Readable.from(written), createWriteStream(part));
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new VerbatimError('unwritable_output', `cannot write ${path}: ${messageOf(error)}`);
  }
  return counts();
}

async function* chunks(
  records: AsyncGenerator<SourceRecord, number>,
): AsyncGenerator<string, ExportCounts> {
  let documents = 0;
  let lines: string[] = [];
  let leftOut = 0;
  const all = async function* () {
    leftOut = yield* records;
  };
  for await (const record of all()) {
    documents++;
    if (lines.push(`${verbatimLine(record)}\n`) < LINES_PER_CHUNK) continue;
    yield lines.join('');
    lines = [];
  }
  yield lines.join('');
  return { documents, leftOut };
}
