/** `verbatim index export`: writes all documents as JSON Lines that `index add` can read. */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import { messageOf, VerbatimError } from '../../errors.ts';
import { verbatimLine } from '../../ingest/formats/verbatim.ts';
import type { SourceRecord } from '../../types.ts';
import { type CommonOptions, settingsOf, withStoreOptions } from '../cli/options.ts';
import { formatNumber, print, printJson } from '../cli/output.ts';
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
count.`,
    )
    .action(async (options: ExportOptions) => {
      await withOperatorIndex(settingsOf(options), async (index) => {
        const lines = chunks(index.records());
        if (options.out === '-') {
          await pipeline(Readable.from(lines), process.stdout, { end: false });
          return;
        }
        const documents = await exportTo(lines, options.out);
        if (options.json) printJson({ documents, file: options.out });
        else print(`${formatNumber(documents)} documents written to ${options.out}`);
      });
    });
}

/** Writes under another name until the file is complete. Returns the number of documents. */
async function exportTo(lines: AsyncGenerator<string, number>, path: string): Promise<number> {
  const part = `${path}.part`;
  let documents = 0;
  async function* counted(): AsyncGenerator<string> {
    documents = yield* lines;
  }
  try {
    await pipeline(Readable.from(counted()), createWriteStream(part));
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new VerbatimError('unwritable_output', `cannot write ${path}: ${messageOf(error)}`);
  }
  return documents;
}

/** Returns the number of documents. */
async function* chunks(records: AsyncIterable<SourceRecord>): AsyncGenerator<string, number> {
  let documents = 0;
  let lines: string[] = [];
  for await (const record of records) {
    documents++;
    if (lines.push(`${verbatimLine(record)}\n`) < LINES_PER_CHUNK) continue;
    yield lines.join('');
    lines = [];
  }
  yield lines.join('');
  return documents;
}
