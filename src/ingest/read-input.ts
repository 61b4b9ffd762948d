/** From an argument of a build to the files in it, each with its content and its format. */
import { basename } from 'node:path';
import { VerbatimError } from '../errors.ts';
import type { Format } from './format.ts';
import { recogniseFormat, UnknownFormatError } from './formats.ts';
import { type ArchiveLimits, membersOf } from './read/archive.ts';
import { type Input, isFile, type PassedOver } from './read/input.ts';
import { isNoteName, NOTE_REASON } from './read/note-names.ts';
import { type ByteSource, openSource } from './read/source.ts';

export interface ReadOptions {
  /** That of all files; undefined: each has its own. */
  format: Format | undefined;
  limits: ArchiveLimits;
}

export interface OpenedFile {
  source: ByteSource;
  format: Format;
}

/** Gets what an input comes to. */
export interface InputReader {
  /** Reads a file; may throw `unreadable_input`. */
  read(file: OpenedFile): Promise<void>;
  passedOver(input: PassedOver): void;
  /** A file could not be read, or not to its end; the error names it. */
  failed(path: string, error: VerbatimError): void;
  /** Whether no further file is wanted. */
  isOver(): boolean;
}

/**
 * Opens an input, and has its content read, or that of all files in it where it is an archive. A
 * file that was found, and that no format recognises, is passed over.
 */
export async function readInput(
  input: Input,
  options: ReadOptions,
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
    const source = await openSource(input.path);
    for await (const member of membersOf(source, options.limits)) {
      if (reader.isOver()) return;
      const isNamed = input.isNamed && member === source;
      await catchUnreadable(member.path, reader, () =>
        readFile(member, { format: options.format, isNamed, isMember: member !== source }, reader),
      );
    }
  });
}

async function readFile(
  source: ByteSource,
  {
    format,
    isNamed,
    isMember,
  }: { format: Format | undefined; isNamed: boolean; isMember: boolean },
  reader: InputReader,
): Promise<void> {
  const { path } = source;
  if (isMember && isNoteName(basename(path.slice(path.lastIndexOf('!') + 1)))) {
    reader.passedOver({ path, passedOver: 'note', why: NOTE_REASON });
    return;
  }
  let known: Format;
  try {
    known = format ?? (await recogniseFormat(source));
  } catch (error) {
    if (isNamed || !(error instanceof UnknownFormatError)) throw error;
    reader.passedOver({ path, passedOver: error.reason, why: error.why });
    return;
  }
  await reader.read({ source, format: known });
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
