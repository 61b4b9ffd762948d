/** Archives and compressed files with damaged heads, lengths, names, and nesting. */
import { execSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { FuzzTarget } from '../run-target.ts';
import { readFile } from './check-file.ts';
import { readFixtures } from './fixtures.ts';

/** Bytes overwritten, cut out, repeated, or cut off. */
const damage = fc.array(
  fc.record({
    kind: fc.constantFrom('set', 'set', 'set', 'drop', 'repeat', 'cut', 'number'),
    at: fc.nat(),
    length: fc.integer({ min: 1, max: 64 }),
    byte: fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.nat(255)),
  }),
  { maxLength: 6 },
);
type Damage = typeof damage extends fc.Arbitrary<infer Value> ? Value : never;

const NUMBER_BYTES = 4;

function apply(bytes: Buffer, given: Damage): Buffer {
  let result = Buffer.from(bytes);
  for (const { kind, at, length, byte } of given) {
    if (result.length === 0) break;
    const first = at % result.length;
    const [before, after] = [result.subarray(0, first), result.subarray(first)];
    if (kind === 'set') result[first] = byte;
    else if (kind === 'number')
      result.fill(byte, first, Math.min(first + NUMBER_BYTES, result.length));
    else if (kind === 'drop') result = Buffer.concat([before, after.subarray(length)]);
    else if (kind === 'repeat') result = Buffer.concat([before, after.subarray(0, length), after]);
    else result = Buffer.from(before);
  }
  return result;
}

export const archives: FuzzTarget = {
  name: 'archives',
  async open(folder) {
    const sources = createArchives(join(folder, 'archives'));
    const path = join(folder, 'archive');
    const source = fc.nat(sources.length - 1);
    const property = fc.asyncProperty(source, source, damage, async (index, inner, given) => {
      const bytes = sources[index] as Buffer;
      // Some archives are packed once more.
      const packed = inner % 4 === 0 ? gzipSync(apply(bytes, given)) : apply(bytes, given);
      writeFileSync(path, packed);
      await readFile(path, undefined);
    });
    return { property };
  },
};

/** How archives are made of a.xml and b.xml, and in which file. */
const PROGRAMS = [
  ['made.tar', 'tar -cf made.tar a.xml b.xml'],
  ['made.tgz', 'tar -czf made.tgz a.xml b.xml'],
  ['made.pax', 'tar --format=pax -cf made.pax a.xml b.xml'],
  ['made.zip', 'python3 -m zipfile -c made.zip a.xml b.xml'],
  ['a.xml.bz2', 'bzip2 -k a.xml'],
  ['a.xml.xz', 'xz -k a.xml'],
  ['a.xml.zst', 'zstd -q -k a.xml'],
] as const;

/** One of each kind that the machine has a program for. */
function createArchives(folder: string): Buffer[] {
  mkdirSync(folder);
  const [first, second] = readFixtures();
  if (first === undefined || second === undefined) throw new Error('there are no fixtures');
  const text = Buffer.from(first.text);
  writeFileSync(join(folder, 'a.xml'), text);
  writeFileSync(join(folder, 'b.xml'), second.text);
  const packed = [gzipSync(text), gzipSync(text, { level: 0 }), deflateSync(text)];
  const made = [...packed, brotliCompressSync(text)];
  for (const [file, command] of PROGRAMS) {
    try {
      execSync(command, { cwd: folder, stdio: 'ignore' });
      made.push(readFileSync(join(folder, file)));
    } catch {
      // A machine without the program fuzzes the other kinds.
    }
  }
  return made;
}
