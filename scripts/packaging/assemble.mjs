/**
 * Puts the single file together: a shell head, the unpacker, and the parts as tar.xz. The same
 * folder and tools always give the same bytes.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
/** The head is padded to this size, so that the numbers in it can say where the rest begins. */
export const HEAD_BYTES = 8 * 1024;
/** Two threads unpack as many blocks at a time; a smaller block would be packed less tightly. */
const BLOCK = '64MiB';
const LIST_FILE = 'parts.sha256';

/** What the tools call a processor that Node calls x64 or arm64. */
export const processors = {
  x64: { machine: 'x86_64', compiler: 'x86_64-linux-gnu-gcc', filter: '--x86', debian: 'amd64' },
  arm64: {
    machine: 'aarch64',
    compiler: 'aarch64-linux-gnu-gcc',
    filter: '--arm64',
    debian: 'arm64',
  },
};

/**
 * Compiles the unpacker for a processor into the folder `work` and returns its path. Needs the static
 * library of liblzma for it.
 */
export function compileUnpacker(arch, work) {
  const unxz = join(work, 'unxz');
  const libraries = ['-Wl,-Bstatic', '-llzma', '-Wl,-Bdynamic', '-pthread'];
  const options = ['-Os', '-s', '-Wall', '-Wextra', '-Werror', '-Wl,--build-id=none'];
  const files = ['-o', unxz, join(here, 'unxz.c')];
  execFileSync(processors[arch].compiler, [...options, ...files, ...libraries]);
  return unxz;
}

/**
 * Writes the single file. `parts` is the folder with `bin/node` and `app/`, into which the list of
 * hashes is written; `work` takes temporary files. `seconds` is the time stamp of everything inside.
 * `preset` is xz's, 0 to 9. Returns the id that names the unpacked folder.
 */
export function assembleFile({ parts, unxz, file, work, version, arch, seconds, preset }) {
  const listHash = writeList(parts);
  const packed = packParts({ parts, work, seconds, arch, preset });
  const unpacker = gzipSync(readFileSync(unxz), { level: 9 });
  const values = {
    VERSION: version,
    ARCH: arch,
    MACHINE: processors[arch].machine,
    ID: listHash.slice(0, 24),
    LIST_HASH: listHash,
    FILE_BYTES: HEAD_BYTES + unpacker.length + statSync(packed).size,
    UNXZ_AT: HEAD_BYTES + 1,
    UNXZ_BYTES: unpacker.length,
    PARTS_AT: HEAD_BYTES + unpacker.length + 1,
    UNPACKED_MB: Math.ceil(
      filesOf(parts).reduce((sum, path) => sum + statSync(path).size, 0) / 1e6,
    ),
  };
  writeFileSync(file, Buffer.concat([fillHead(values), unpacker, readFileSync(packed)]));
  chmodSync(file, 0o755);
  return values.ID;
}

/** The head with its values, padded to its size. Ends with a line that no shell reads. */
function fillHead(values) {
  const text = readFileSync(join(here, 'head.sh'), 'utf8').replace(/@([A-Z_]+)@/g, (_, name) => {
    if (!(name in values)) throw new Error(`head.sh has @${name}@, which has no value`);
    return String(values[name]);
  });
  const head = Buffer.alloc(HEAD_BYTES, '\n');
  if (Buffer.byteLength(text) > HEAD_BYTES) throw new Error('head.sh is longer than HEAD_BYTES');
  head.write(text);
  return head;
}

/** Writes the hash of each part, as sha256sum does, and returns the hash of that list. */
function writeList(parts) {
  const lines = filesOf(parts)
    .filter((path) => path !== join(parts, LIST_FILE))
    .map((path) => `${sha256(readFileSync(path))}  ${relative(parts, path)}\n`);
  const list = lines.join('');
  writeFileSync(join(parts, LIST_FILE), list);
  return sha256(list);
}

function packParts({ parts, work, seconds, arch, preset }) {
  const tar = join(work, 'parts.tar');
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--mode=go=rX,u+w'];
  const order = ['--sort=name', '--format=ustar', `--mtime=@${seconds}`];
  execFileSync('tar', ['-cf', tar, ...order, ...owner, '-C', parts, '.']);
  const filters = [processors[arch].filter, `--lzma2=preset=${preset}`];
  execFileSync('xz', ['--force', '--threads=2', `--block-size=${BLOCK}`, ...filters, tar]);
  return `${tar}.xz`;
}

function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function sha256(data) {
  return createHash('sha256').update(data).digest('hex');
}

/** Copies a program into the parts and makes it executable. */
export function addProgram(source, parts, name) {
  mkdirSync(join(parts, 'bin'), { recursive: true });
  copyFileSync(source, join(parts, 'bin', name));
  chmodSync(join(parts, 'bin', name), 0o755);
}
