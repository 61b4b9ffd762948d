/**
 * Prepares native parts for the file: refuses those that need a newer system than Debian 12, and
 * drops what is not loaded when they run.
 */
import { isElf, readSymbols, readVersionNeeds } from '../uwebsockets/elf.mjs';

/** The newest version of each kind of symbol in Debian 12. */
const NEWEST = { GLIBC: '2.36', GLIBCXX: '3.4.30', CXXABI: '1.3.13', GCC: '12.0.0' };
/** The libraries that the system provides. The others are parts of the file. */
const SYSTEM_LIBRARY = /^(lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s)|ld-linux[\w-]*)\.so/;
const LOADED_SEGMENT = 1;
const SEGMENT_BYTES = 56;

/**
 * Throws if the library or program needs a symbol that Debian 12 does not have, and names the
 * symbol. `path` is for the message.
 */
export function refuseNewerSymbols(bytes, path) {
  const tooNew = readVersionNeeds(bytes).filter(
    ({ library, name }) => SYSTEM_LIBRARY.test(library) && isTooNew(name),
  );
  if (tooNew.length === 0) return;
  const symbols = readSymbols(bytes).filter(({ version }) =>
    tooNew.some(({ index }) => index === version),
  );
  const versions = tooNew.map(({ name }) => name).join(', ');
  throw new Error(
    `${path} needs ${versions}, which Debian 12 lacks: ${symbols.map(({ name }) => name).join(', ')}`,
  );
}

function isTooNew(name) {
  const [, kind, version] = /^([A-Z]+)_([\d.]+)$/.exec(name) ?? [];
  const newest = NEWEST[kind];
  // GLIBC_PRIVATE, for example, changes with every version.
  if (newest === undefined || version === undefined) return true;
  return version.localeCompare(newest, 'en', { numeric: true }) > 0;
}

/**
 * Returns the bytes up to the end of the last segment that is loaded, without the table of sections.
 * What follows is symbols for debuggers. Works for every processor. The System V ABI specifies the
 * format.
 */
export function withoutSections(bytes) {
  if (!isElf(bytes)) throw new Error('this is no ELF file');
  const start = Number(bytes.readBigUInt64LE(0x20));
  let end = start + bytes.readUInt16LE(0x38) * SEGMENT_BYTES;
  for (let index = 0; index < bytes.readUInt16LE(0x38); index++) {
    const at = start + index * SEGMENT_BYTES;
    if (bytes.readUInt32LE(at) !== LOADED_SEGMENT) continue;
    end = Math.max(
      end,
      Number(bytes.readBigUInt64LE(at + 0x08)) + Number(bytes.readBigUInt64LE(at + 0x20)),
    );
  }
  const kept = Buffer.from(bytes.subarray(0, end));
  kept.writeBigUInt64LE(0n, 0x28);
  for (const field of [0x3c, 0x3e]) kept.writeUInt16LE(0, field);
  return kept;
}
