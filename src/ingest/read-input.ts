/** Opens the inputs of a build: finds the files in archives, and the format of each file. */
import { basename } from 'node:path';
import { VerbatimError } from '../errors.ts';
import { nameSources, type SourceNaming } from './file-source-names.ts';
import { recognizeFormat } from './formats.ts';
import { type ArchiveLimits, membersOf } from './read/archive.ts';
import { type Input, type InputFile, isFile, type PassedOver } from './read/input.ts';
import { isNoteName, NOTE_REASON } from './read/note-names.ts';
import type { Format } from './read/packed-format.ts';
import { type BinarySource, type ByteSource, openSource } from './read/source.ts';
import { UnknownFormatError } from './read/unknown-format-error.ts';

export interface ReadOptions {
  /** Format of all files; undefined: recognized per file. */
  format: Format | undefined;
  /** Encoding of all files, from `encodingNamed`; undefined: detected per file. */
  encoding?: string | undefined;
  limits: ArchiveLimits;
  /** Name of tables and bibliographies; absent: the name of each file. */
  sourceName?: string | undefined;
}

export interface OpenedFile {
  source: ByteSource;
  format: Format;
  /** The name of the file: see file-source-names.ts. */
  name: string;
}

/** How to read the files of one command. */
export interface Reading {
  format: Format | undefined;
  limits: ArchiveLimits;
  naming: SourceNaming;
  /** Opens a file. A pipe is opened once, and its source keeps what was read of it. */
  open: (input: InputFile) => Promise<BinarySource>;
}

export function startReading(
  files: readonly Input[],
  { format, encoding, limits, sourceName }: ReadOptions,
): Reading {
  const pipes = new Map<InputFile, Promise<BinarySource>>();
  return {
    format,
    limits,
    naming: nameSources(files, sourceName),
    open(input) {
      const opened =
        pipes.get(input) ?? openSource(input.path, { encoding, shownAs: input.shownAs });
      if (input.bytes === undefined) pipes.set(input, opened);
      return opened;
    },
  };
}

/** Receives the files of an input. */
export interface InputReader {
  /** Reads a file; may throw `unreadable_input`. */
  read(file: OpenedFile): Promise<void>;
  passedOver(input: PassedOver): void;
  /** A file could not be read to the end. The error names it. */
  failed(path: string, error: VerbatimError): void;
  /** Whether to stop before the next file. */
  shouldStop(): boolean;
}

/**
 * Opens an input and passes its files to the reader: all members of an archive, or the file itself.
 * A file that was found rather than named is passed over if no format recognizes it.
 */
export async function readInput(
  input: Input,
  reading: Reading,
  reader: InputReader,
): Promise<void> {
  if ('unreadable' in input) {
    reader.failed(input.path, new VerbatimError('unreadable_input', input.unreadable));
    return;
  }
  if (!isFile(input)) {
    reader.passedOver(input);
    return;
  }
  await catchUnreadable(input.path, reader, async () => {
    const source = await reading.open(input);
    const name = reading.naming(input);
    for await (const member of membersOf(source, reading.limits)) {
      const isMember = member !== source;
      const context = {
        format: reading.format,
        isMember,
        isNamed: input.isNamed && !isMember,
        name: `${name}${member.path.slice(source.path.length)}`.replaceAll('/', ':'),
      };
      await catchUnreadable(member.path, reader, () => readFile(member, context, reader));
      // Checked before the next member: moving on would read the rest of this one.
      if (reader.shouldStop()) return;
    }
  });
}

interface FileContext {
  format: Format | undefined;
  isMember: boolean;
  isNamed: boolean;
  name: string;
}

async function readFile(
  source: ByteSource,
  { format, isNamed, isMember, name }: FileContext,
  reader: InputReader,
): Promise<void> {
  const { path } = source;
  if (isMember && isNoteName(basename(path.slice(path.lastIndexOf('!') + 1)))) {
    reader.passedOver({ path, passedOver: 'note', why: NOTE_REASON });
    return;
  }
  let known: Format;
  try {
    known = format ?? (await recognizeFormat(source));
  } catch (error) {
    if (isNamed || !(error instanceof UnknownFormatError)) throw error;
    reader.passedOver({ path, passedOver: error.reason, why: error.why });
    return;
  }
  await reader.read({ source, format: known, name });
}

async function catchUnreadable(
  path: string,
  reader: InputReader,
  read: () => Promise<void>,
): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!(error instanceof VerbatimError && error.code === 'unreadable_input')) throw error;
    reader.failed(path, error);
  }
}
