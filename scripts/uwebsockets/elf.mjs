/**
 * Reads the dynamic symbols of a 64-bit little-endian ELF library, and changes them in place. No
 * section moves or changes its size. The System V ABI specifies the format. The Linux Standard Base
 * specifies symbol versions (`.gnu.version`, `.gnu.version_r`).
 */

const MAGIC = 0x464c457f;
const SECTION_DYNAMIC_SYMBOLS = 11;
const SECTION_VERSION_NEEDS = 0x6ffffffe;
const SECTION_VERSIONS = 0x6fffffff;
const SYMBOL_BYTES = 24;
/** The highest bit of a symbol's version says whether the symbol is hidden. */
const VERSION_MASK = 0x7fff;

/** Whether the bytes start like an ELF file. */
export function isElf(bytes) {
  return bytes.length > 64 && bytes.readUInt32LE(0) === MAGIC;
}

/** The processor type of the library: 62 is x86-64, 183 is AArch64. */
export function machineOf(bytes) {
  return bytes.readUInt16LE(18);
}

/**
 * The versions that the library needs from other libraries. Symbols refer to `index`. `offset` is the
 * position of the entry in the file.
 */
export function readVersionNeeds(bytes) {
  const { needs, strings } = readTables(bytes);
  const found = [];
  let need = needs.offset;
  for (let file = 0; file < needs.count; file++) {
    const library = textAt(bytes, strings, bytes.readUInt32LE(need + 4));
    let entry = need + bytes.readUInt32LE(need + 8);
    for (let version = 0; version < bytes.readUInt16LE(need + 2); version++) {
      const name = textAt(bytes, strings, bytes.readUInt32LE(entry + 8));
      found.push({ library, name, index: bytes.readUInt16LE(entry + 6), offset: entry });
      entry += bytes.readUInt32LE(entry + 12);
    }
    need += bytes.readUInt32LE(need + 12);
  }
  return found;
}

/** The dynamic symbols with the indexes of their versions. `number` is the position in the table. */
export function readSymbols(bytes) {
  const { symbols, versions, strings } = readTables(bytes);
  return Array.from({ length: symbols.size / SYMBOL_BYTES }, (_, number) => ({
    number,
    name: textAt(bytes, strings, bytes.readUInt32LE(symbols.offset + number * SYMBOL_BYTES)),
    version: bytes.readUInt16LE(versions.offset + number * 2) & VERSION_MASK,
  }));
}

/** Drops the first `prefixLength` characters of a symbol's name and changes its version. */
export function changeSymbol(bytes, symbol, { prefixLength, version }) {
  const { symbols, versions } = readTables(bytes);
  const entry = symbols.offset + symbol.number * SYMBOL_BYTES;
  bytes.writeUInt32LE(bytes.readUInt32LE(entry) + prefixLength, entry);
  bytes.writeUInt16LE(version.index, versions.offset + symbol.number * 2);
}

/** Replaces a needed version with the version `by`, so that the loader asks for `by`. */
export function replaceVersionNeed(bytes, need, { by }) {
  const HASH = 0;
  const NAME = 8;
  for (const field of [HASH, NAME]) {
    bytes.writeUInt32LE(bytes.readUInt32LE(by.offset + field), need.offset + field);
  }
}

function readTables(bytes) {
  const start = Number(bytes.readBigUInt64LE(0x28));
  const size = bytes.readUInt16LE(0x3a);
  const sections = Array.from({ length: bytes.readUInt16LE(0x3c) }, (_, number) => {
    const at = start + number * size;
    return {
      type: bytes.readUInt32LE(at + 4),
      offset: Number(bytes.readBigUInt64LE(at + 0x18)),
      size: Number(bytes.readBigUInt64LE(at + 0x20)),
      link: bytes.readUInt32LE(at + 0x28),
      count: bytes.readUInt32LE(at + 0x2c),
    };
  });
  const find = (type) => {
    const section = sections.find((one) => one.type === type);
    if (section === undefined) throw new Error(`the library has no section of type ${type}`);
    return section;
  };
  const symbols = find(SECTION_DYNAMIC_SYMBOLS);
  return {
    symbols,
    strings: sections[symbols.link],
    versions: find(SECTION_VERSIONS),
    needs: find(SECTION_VERSION_NEEDS),
  };
}

function textAt(bytes, strings, offset) {
  const start = strings.offset + offset;
  return bytes.toString('latin1', start, bytes.indexOf(0, start));
}
