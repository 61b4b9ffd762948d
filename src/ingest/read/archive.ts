/**
 * Reads the files in an archive as `folder.zip!papers.jsonl`. Tar is read sequentially, so it may
 * come from a pipe. Zip needs the directory at its end, so it must be a file. Archives are recognized
 * by their bytes.
 */
import { VerbatimError } from '../../errors.ts';
import { archiveKindOf, SIGNATURE_BYTES } from './decompress.ts';
import { peek } from './peek.ts';
import { type BinarySource, type ByteSource, singlePass, sourceOf } from './source.ts';
import { tarMembers } from './tar.ts';
import { zipMembers } from './zip.ts';

export interface ArchiveLimits {
  archiveMembersMax: number;
  archiveMemberBytesMax: number;
}

/** An archive may contain archives. */
const LEVELS_MAX = 2;

/**
 * The files in an archive, in archive order, without hidden files; the source itself if it is not an
 * archive. A member of a tar archive must be read before the next one is requested. Throws
 * `unreadable_input` if the archive breaks off, is damaged, or exceeds the limits.
 */
export async function* membersOf(
  source: BinarySource,
  limits: ArchiveLimits,
  level = 1,
): AsyncGenerator<ByteSource> {
  const kind = level > LEVELS_MAX ? undefined : await kindOf(source, level);
  if (kind === undefined) {
    yield source;
    return;
  }
  const members =
    kind === 'zip' ? zipMembers(source.path) : tarMembers(source.decompressed(), source.path);
  let count = 0;
  for await (const { name, read, canBeReadAgain } of members) {
    if (++count > limits.archiveMembersMax) {
      const problem = `has more than ${limits.archiveMembersMax} files; extract it and add the folder`;
      throw new VerbatimError('unreadable_input', `${source.path} ${problem}`);
    }
    if (isHidden(name)) continue;
    const path = `${source.path}!${name}`;
    const bounded = (): AsyncGenerator<Buffer> => limitBytes(read(), limits.archiveMemberBytesMax);
    const member = sourceOf({
      // A member is identified by the time of its archive and by its own start.
      path,
      encoding: source.encoding,
      bytes: source.bytes,
      modifiedAt: source.modifiedAt,
      read: canBeReadAgain ? bounded : singlePass(bounded()),
    });
    yield* membersOf({ ...member, bytesRead: source.bytesRead }, limits, level + 1);
  }
}

async function kindOf(source: BinarySource, level: number): Promise<'zip' | 'tar' | undefined> {
  const chunks = source.decompressed();
  try {
    const kind = archiveKindOf((await peek(chunks, SIGNATURE_BYTES)).start, source.path);
    const isFile = level === 1 && source.modifiedAt > 0;
    // A zip archive without a usable directory is rejected later, with advice.
    return kind === 'zip' && !isFile ? undefined : kind;
  } catch {
    // The error is reported when the content is read.
    return undefined;
  } finally {
    await chunks.return(undefined);
  }
}

/** Includes the metadata that macOS stores beside each file. `./a` and `../a` are not hidden. */
function isHidden(name: string): boolean {
  return name
    .split('/')
    .some((part) => (part.startsWith('.') && !/^\.\.?$/.test(part)) || part === '__MACOSX');
}

async function* limitBytes(
  chunks: AsyncGenerator<Buffer>,
  bytesMax: number,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Error(`it has more than ${bytesMax} bytes`);
    yield chunk;
  }
}
