/** `verbatim index export`: writes all documents as JSON Lines that `index add` can read. */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import { messageOf, VerbatimError } from '../../errors.ts';
import { verbatimLine } from '../../ingest/formats/verbatim.ts';
import type { Connection } from '../../store/database/connection.ts';
import { assertWalWithin } from '../../store/database/wal.ts';
import { createSourcesReader } from '../../store/index/records/sources-of-documents.ts';
import { openStoreForReading } from '../../store/open.ts';
import { type CommonOptions, settingsOf, storeOptions, withStoreOptions } from '../cli/options.ts';
import { formatNumber, print, printJson } from '../cli/output.ts';

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
      const settings = settingsOf(options);
      const db = openStoreForReading(storeOptions(settings));
      try {
        const lines = chunks(db, settings.walBytesMax);
        if (options.out === '-') {
          await pipeline(Readable.from(lines), process.stdout, { end: false });
          return;
        }
        const documents = await exportTo(lines, options.out);
        if (options.json) printJson({ documents, file: options.out });
        else print(`${formatNumber(documents)} documents written to ${options.out}`);
      } finally {
        db.close();
      }
    });
}

/** Writes under another name until the file is complete. Returns the number of documents. */
async function exportTo(lines: Generator<string, number>, path: string): Promise<number> {
  const part = `${path}.part`;
  let documents = 0;
  function* counted(): Generator<string> {
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

/**
 * Reads one snapshot of the index, whatever is added meanwhile, and returns the number of
 * documents. Throws `database_busy` when that has made the write-ahead log too long.
 */
function* chunks(db: Connection, walBytesMax: number): Generator<string, number> {
  let documents = 0;
  let lines: string[] = [];
  for (const record of createSourcesReader(db).all()) {
    documents++;
    if (lines.push(`${verbatimLine(record)}\n`) < LINES_PER_CHUNK) continue;
    assertWalWithin(db.name, walBytesMax);
    yield lines.join('');
    lines = [];
  }
  yield lines.join('');
  return documents;
}
