import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { runVerbatim } from '../support/verbatim.ts';
import { addFiles, jsonLines, scratchFolder, writeFiles } from './index-files.ts';

it('indexes the files of an archive, each in its own format, and names them', async () => {
  const folder = await scratchFolder();
  await writeFiles(folder, {
    'a.jsonl': jsonLines([{ id: 'a', title: 'Tides', abstract: 'The sea rises.' }, { id: 'b' }]),
    'b.ris': 'TY  - JOUR\nTI  - Sand\nDO  - 10.5555/sand\nER  - \n',
  });
  execFileSync('tar', ['-czf', 'papers.tgz', 'a.jsonl', 'b.ris'], { cwd: folder });
  const archive = join(folder, 'papers.tgz');
  const database = join(folder, 'index.db');
  const first = await addFiles([archive], { database });
  expect(first.counts).toMatchObject({ read: 3, added: 2, skipped: 1, filesFailed: 0 });
  expect(first.problems.join('\n')).toContain('papers.tgz!a.jsonl:2: skipped');
  const again = await addFiles([archive], { database });
  expect(again.counts).toMatchObject({ read: 3, added: 0, unchanged: 2 });
});

it.each(['bz2', 'xz'])(
  'indexes files compressed with %s, in an archive and alone',
  async (kind) => {
    const folder = await scratchFolder();
    await writeFiles(folder, {
      'a.jsonl': jsonLines([{ id: 'a', title: 'Tides', abstract: 'The sea rises.' }]),
      'b.jsonl': jsonLines([{ id: 'b', title: 'Sand', abstract: 'The sea falls.' }]),
    });
    const script = `
import bz2, lzma, sys, tarfile
kind = sys.argv[1]
with tarfile.open('a.tar.' + kind, 'w:' + kind) as archive: archive.add('a.jsonl')
pack = {'bz2': bz2, 'xz': lzma}[kind].compress
open('b.jsonl.' + kind, 'wb').write(pack(open('b.jsonl', 'rb').read()))`;
    execFileSync('python3', ['-c', script, kind], { cwd: folder });
    const paths = ['a.tar', 'b.jsonl'].map((name) => join(folder, `${name}.${kind}`));
    const { counts } = await addFiles(paths, { database: join(folder, 'index.db') });
    expect(counts).toMatchObject({ read: 2, added: 2, filesFailed: 0 });
  },
);

it('reads an xz file again whose first records fit in one chunk', async () => {
  const folder = await scratchFolder();
  const records = [...Array(2_000).keys()].map((n) => ({ id: `p${n}`, title: `Tides ${n}` }));
  const [path = ''] = await writeFiles(folder, { 'a.jsonl': jsonLines(records) });
  const script =
    "import lzma, sys; d = open(sys.argv[1], 'rb').read(); open(sys.argv[1], 'wb').write(lzma.compress(d))";
  execFileSync('python3', ['-c', script, path]);
  const options = ['--limit', '10'];
  const { counts } = await addFiles([path], { database: join(folder, 'index.db'), options });
  expect(counts).toMatchObject({ added: 10, filesFailed: 0 });
});

it('passes over files in an archive that hold no data, as in a folder', async () => {
  const folder = await scratchFolder();
  await writeFiles(folder, {
    'README.txt': 'Papers about tides.\n',
    'a.jsonl': jsonLines([{ id: 'a', title: 'Tides', abstract: 'The sea rises.' }]),
    'picture.png': Buffer.from('89504e470d0a1a0a', 'hex'),
  });
  const names = ['README.txt', 'a.jsonl', 'picture.png'];
  execFileSync('tar', ['-cf', 'papers.tar', ...names], { cwd: folder });
  const database = join(folder, 'index.db');
  const { counts } = await addFiles([join(folder, 'papers.tar')], { database });
  expect(counts).toMatchObject({ added: 1, filesFailed: 0, filesPassedOver: 2 });
  expect(counts.passedOverBy).toEqual({ note: 1, unknown_format: 1 });
});

it('counts the damaged files of an archive one by one, as it counts those that it reads', async () => {
  const folder = await scratchFolder();
  const compressed = gzipSync(jsonLines([{ id: 'a', title: 'Tides', abstract: 'It rises.' }]));
  await writeFiles(folder, {
    'a.jsonl.gz': compressed.subarray(0, -12),
    'b.jsonl': jsonLines([{ id: 'b', title: 'Sand', abstract: 'It settles.' }]),
    'c.jsonl.gz': compressed.subarray(0, -12),
  });
  const names = ['a.jsonl.gz', 'b.jsonl', 'c.jsonl.gz'];
  execFileSync('tar', ['-cf', 'papers.tar', ...names], { cwd: folder });
  const database = join(folder, 'index.db');
  const options = { database, code: 1 };
  const { counts, problems, error } = await addFiles([join(folder, 'papers.tar')], options);
  expect(counts).toMatchObject({ added: 1, filesFailed: 2 });
  expect(problems.filter((line) => line.includes('breaks off'))).toHaveLength(2);
  expect(error).toContain('2 of 3 files could not be read to the end');
});

it('looks at no more than the first 200 files of an archive before it writes', async () => {
  const folder = await scratchFolder();
  const [first = ''] = await writeFiles(folder, {
    'first.jsonl': jsonLines([1, 2, 3].map((id) => ({ id, title: `Tides of the bay ${id}` }))),
    'other.jsonl': jsonLines([1, 2, 3].map((id) => ({ id, title: `Coral and sand ${id}` }))),
  });
  const notes = Array.from({ length: 200 }, (_, i) => `${i}.md`);
  await writeFiles(folder, Object.fromEntries(notes.map((name) => [name, 'Notes.'])));
  const pack = (name: string, files: readonly string[]): string => {
    execFileSync('tar', ['-cf', name, ...files], { cwd: folder });
    return join(folder, name);
  };
  const near = pack('near.tar', [...notes.slice(1), 'other.jsonl']);
  const far = pack('far.tar', [...notes, 'other.jsonl']);
  const database = join(folder, 'index.db');
  await addFiles([first], { database });
  const guarded = ['index', 'add', near, '--db', database];
  const { stderr } = await runVerbatim(guarded, { code: 1 });
  expect(stderr).toContain('nothing was added: 3 of the first 3 known papers would get');
  expect((await addFiles([far], { database })).counts).toMatchObject({ updated: 3 });
});
