import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { membersOf } from '../../../src/ingest/read/archive.ts';
import { type BinarySource, openSource } from '../../../src/ingest/read/source.ts';
import { scratchFolder, writeFiles } from '../index-files.ts';

const LIMITS = { archiveMembersMax: 10, archiveMemberBytesMax: 3_000_000 };
/** Several chunks of what hardly compresses. */
const LONG = Array.from({ length: 60_000 }, (_, i) => `${i * 7919} ${(i * 104729) % 65537}\n`).join(
  '',
);
const FILES = { 'a.txt': 'first\n', 'b.txt.gz': gzipSync('second\n'), 'long.txt': LONG };
const EXPECTED = { 'a.txt': 'first\n', 'b.txt.gz': 'second\n', 'long.txt': LONG };

/** Made by Python, which has all the formats and is there wherever the tests run. */
const PACK = `
import sys, os, tarfile, zipfile, bz2, lzma
kind, out, folder = sys.argv[1:4]
names = sorted(os.listdir(folder))
if kind == 'zip':
  with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as archive:
    archive.writestr('__MACOSX/._a.txt', 'hidden')
    archive.writestr('sub/', '')
    for name in names: archive.write(os.path.join(folder, name), name)
elif kind in ('bz2', 'xz'):
  data = open(os.path.join(folder, 'long.txt'), 'rb').read()
  open(out, 'wb').write((bz2 if kind == 'bz2' else lzma).compress(data))
else:
  with tarfile.open(out, 'w:' + kind[4:]) as archive:
    for name in names: archive.add(os.path.join(folder, name), name)
`;

/** An archive of files with the same text and these names. */
const PACK_NAMES = `
import io, sys, tarfile, zipfile
kind, out, *names = sys.argv[1:]
if kind == 'zip':
  with zipfile.ZipFile(out, 'w') as archive:
    for name in names: archive.writestr(name, 'text')
else:
  with tarfile.open(out, 'w') as archive:
    for name in names:
      info = tarfile.TarInfo(name)
      info.size = 4
      archive.addfile(info, io.BytesIO(b'text'))
`;

async function pack(
  kind: string,
  files: Readonly<Record<string, string | Buffer>> = FILES,
): Promise<string> {
  const folder = await scratchFolder();
  const inner = join(folder, 'inner');
  await mkdir(inner);
  await writeFiles(inner, files);
  const path = join(folder, 'packed');
  execFileSync('python3', ['-c', PACK, kind, path, inner]);
  return path;
}

async function contentsOf(source: BinarySource, limits = LIMITS) {
  const contents: Record<string, string> = {};
  let failure: unknown;
  try {
    for await (const member of membersOf(source, limits)) {
      const name = member.path.replace(`${source.path}!`, '');
      // As for recognizing a format, and for a checkpoint.
      for (let time = 0; time < 2; time++) for await (const _ of member.chunks()) break;
      contents[name] = '';
      for await (const chunk of member.chunks()) contents[name] += chunk.toString();
    }
  } catch (error) {
    failure = error;
  }
  return { contents, failure };
}

describe('membersOf', () => {
  it.each([...['zip', 'tar', 'tar.gz', 'tar.bz2', 'tar.xz']])(
    'reads the files of an archive: %s',
    async (kind) => {
      const { contents, failure } = await contentsOf(await openSource(await pack(kind)));
      expect(failure).toBeUndefined();
      expect(Object.keys(contents)).toEqual(Object.keys(EXPECTED));
      expect(contents).toEqual(EXPECTED);
    },
  );

  it.each(['bz2', 'xz'])('reads a file compressed with %s as that file', async (kind) => {
    const path = await pack(kind);
    const source = await openSource(path);
    expect((await contentsOf(source)).contents).toEqual({ [path]: LONG });
    const bytes = await readFile(path);
    await writeFile(path, bytes.subarray(0, bytes.length / 2));
    const { failure } = await contentsOf(await openSource(path));
    expect(String(failure)).toMatch(
      /breaks off: (unexpected end of file|its \w+ data are damaged)/,
    );
  });

  it('decompresses a bzip2 bomb in small pieces with bounded memory', async () => {
    const folder = await scratchFolder();
    const path = join(folder, 'bomb.bz2');
    // 180 MB in four blocks; the library as a whole took gigabytes for them.
    const bomb = "import bz2, sys; open(sys.argv[1], 'wb').write(bz2.compress(bytes(180_000_000)))";
    execFileSync('python3', ['-c', bomb, path]);
    let [bytes, largest] = [0, 0];
    const before = process.memoryUsage().rss;
    let most = before;
    for await (const chunk of (await openSource(path)).decompressed()) {
      bytes += chunk.length;
      largest = Math.max(largest, chunk.length);
      most = Math.max(most, process.memoryUsage.rss());
    }
    expect(bytes).toBe(180_000_000);
    expect(largest).toBeLessThanOrEqual(1_000_000);
    expect(most - before).toBeLessThan(300_000_000);
  }, 60_000);

  it('reads a tar archive from a pipe and from within an archive', async () => {
    const tar = await readFile(await pack('tar.gz'));
    const piped = await openSource('-', { standardInput: Readable.from([tar]) });
    expect((await contentsOf(piped)).contents).toEqual(EXPECTED);
    const outer = await openSource(await pack('zip', { 'inner.tar.gz': tar, 'x.txt': 'x' }));
    const { contents } = await contentsOf(outer);
    expect(Object.keys(contents)).toEqual([
      ...Object.keys(EXPECTED).map((name) => `inner.tar.gz!${name}`),
      'x.txt',
    ]);
  });

  it('rejects a zip archive from a pipe or from within an archive', async () => {
    const zip = await readFile(await pack('zip'));
    for (const source of [
      await openSource('-', { standardInput: Readable.from([zip]) }),
      await openSource(await pack('tar.gz', { 'inner.zip': zip })),
    ]) {
      const { failure } = await contentsOf(source);
      expect(failure).toMatchObject({ code: 'unreadable_input' });
      expect(String(failure)).toContain(
        'it is a zip archive; it is read as a file of its own only',
      );
    }
  });

  it.each(['zip', 'tar.gz'])('stops at too many or too large files: %s', async (kind) => {
    const path = await pack(kind);
    const many = await contentsOf(await openSource(path), { ...LIMITS, archiveMembersMax: 2 });
    expect(String(many.failure)).toContain(`${path} has more than 2 files`);
    const large = await contentsOf(await openSource(path), {
      ...LIMITS,
      archiveMemberBytesMax: 100_000,
    });
    expect(String(large.failure)).toContain('long.txt breaks off: it has more than 100000 bytes');
  });

  it.each(['zip', 'tar.gz'])('reports an archive that breaks off: %s', async (kind) => {
    const path = await pack(kind);
    const bytes = await readFile(path);
    await writeFile(path, bytes.subarray(0, bytes.length / 2));
    const { failure } = await contentsOf(await openSource(path));
    expect(failure).toMatchObject({ code: 'unreadable_input' });
    expect(String(failure)).toContain(path);
  });

  it.each(['zip', 'tar'])('reads members of any name under that name: %s', async (kind) => {
    const path = join(await scratchFolder(), 'packed');
    execFileSync('python3', ['-c', PACK_NAMES, kind, path, '../a.txt', './b.txt', 'x/.hidden']);
    const { contents, failure } = await contentsOf(await openSource(path));
    expect(failure).toBeUndefined();
    expect(contents).toEqual({ '../a.txt': 'text', './b.txt': 'text' });
  });

  it('says that a member of a zip archive is encrypted', async () => {
    const path = await pack('zip', { 'a.txt': 'first\n' });
    const bytes = await readFile(path);
    // The flag of encryption in the last entry of the directory.
    const entry = bytes.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'));
    bytes[entry + 8] = (bytes[entry + 8] ?? 0) | 1;
    await writeFile(path, bytes);
    const { failure } = await contentsOf(await openSource(path));
    expect(failure).toMatchObject({ code: 'unreadable_input' });
    expect(String(failure)).toContain(`${path}!a.txt is encrypted; `);
  });

  it('continues with the next file if one was not read', async () => {
    const names: string[] = [];
    const source = await openSource(await pack('tar.gz'));
    for await (const member of membersOf(source, LIMITS)) names.push(member.path);
    expect(names).toEqual(Object.keys(EXPECTED).map((name) => `${source.path}!${name}`));
  });
});
