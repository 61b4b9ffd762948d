/** `index add --complete` as a user runs it: what the files no longer have is removed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { DryRunReport } from '../../../src/commands/index/print-dry-run.ts';
import { bundlePath } from '../../../src/settings/bundle.ts';
import {
  addFiles,
  expectSound,
  jsonLines,
  readIndex,
  scratchFolder,
  writeFiles,
} from '../../ingest/index-files.ts';
import { runCommand, runCommandJson } from '../../support/verbatim.ts';

const COMPLETE = ['--complete', '--yes'];

function papers(...numbers: number[]): string {
  return jsonLines(numbers.map((number) => ({ id: `p${number}`, title: `Title ${number}` })));
}

function bibliography(...keys: string[]): string {
  return keys.map((key) => `@article{${key}, title={On ${key} at the shore}}\n`).join('');
}

async function newWorld() {
  const folder = await scratchFolder();
  const database = join(folder, 'index.db');
  const place = join(folder, 'papers');
  await mkdir(place);
  return {
    folder,
    place,
    database,
    add: (paths: string[], options: string[] = [], code = 0) =>
      runCommand(['index', 'add', ...paths, '--db', database, ...options], { code }),
    ids: () => [...readIndex(database).keys()].join(' '),
  };
}

describe('verbatim index add --complete', () => {
  it('shows and removes what a folder no longer has, also whole files, and nothing else', async () => {
    const { folder, place, database, add, ids } = await newWorld();
    await writeFiles(place, { 'a.jsonl': papers(1, 2, 3, 4), 'b.jsonl': papers(5) });
    const [other = ''] = await writeFiles(folder, { 'papers2.jsonl': papers(6, 7) });
    await add([place, other]);
    await writeFiles(place, { 'a.jsonl': papers(1, 3, 4, 8) });
    await rm(join(place, 'b.jsonl'));
    const shown = 'to remove: 2 of 5 records are no longer listed, such as "Title 2", "Title 5"';
    const dry = await add([`${place}/`], ['--complete', '--dry-run']);
    expect(dry.stdout).toContain(`${shown}\n`);
    const report = await runCommandJson<DryRunReport>([
      ...['index', 'add', place, '--db', database, '--complete', '--dry-run'],
    ]);
    expect(report.unlisted).toEqual({ records: 5, unlisted: 2, examples: ['Title 2', 'Title 5'] });
    const asked = await add([place], ['--complete'], 2);
    expect(asked.stderr).toContain(`${shown}\n`);
    expect(asked.stderr).toContain('nobody can be asked here; add --yes');
    expect(ids()).toBe('p1 p2 p3 p4 p5 p6 p7');
    const { counts } = await addFiles([place], { database, options: COMPLETE });
    expect(counts).toMatchObject({ added: 1, unchanged: 3, deleted: 2 });
    expect(ids()).toBe('p1 p3 p4 p6 p7 p8');
    expect((await addFiles([place], { database, options: COMPLETE })).counts.deleted).toBe(0);
    expectSound(database, { documents: 6, sentences: 0 });
  });

  it('knows bibliographies by their source, whatever their file is called', async () => {
    const { folder, database, add, ids } = await newWorld();
    const [refs = '', later = '', others = ''] = await writeFiles(folder, {
      'refs.bib': bibliography('a', 'b', 'c'),
      'later.bib': bibliography('a', 'c'),
      'others.bib': bibliography('z'),
    });
    await add([refs, others]);
    await add([later], [...COMPLETE, '--source', 'refs.bib']);
    expect(ids()).toBe('others.bib::z refs.bib::a refs.bib::c');
    expectSound(database, { documents: 3, sentences: 0 });
  });

  it('keeps a paper that another source has', async () => {
    const { folder, database, add, ids } = await newWorld();
    const tides = { doi: '10.5555/tides', title: 'Tides' };
    const [ours = '', table = ''] = await writeFiles(folder, {
      'ours.jsonl': jsonLines([tides, { id: 'moon', title: 'Moon' }]),
      'table.csv': 'DOI,Title\n10.5555/tides,Tides\n',
    });
    await add([ours, table]);
    await writeFiles(folder, { 'ours.jsonl': jsonLines([{ id: 'moon', title: 'Moon' }]) });
    expect((await add([ours], COMPLETE)).stdout).toContain('1 deleted');
    expect(ids()).toBe('10.5555/tides moon');
    const [why] = await runCommandJson<{ sources: { format: string }[] }[]>([
      ...['index', 'why', '10.5555/tides', '--db', database],
    ]);
    expect(why?.sources.map(({ format }) => format)).toEqual(['csv']);
  });

  it('stops if more than half would go, until it is accepted', async () => {
    const { place, add, ids } = await newWorld();
    const [file = ''] = await writeFiles(place, { 'a.jsonl': papers(1, 2, 3) });
    await add([file]);
    await writeFiles(place, { 'a.jsonl': papers(3, 4) });
    const { stderr } = await add([file], COMPLETE, 1);
    expect(stderr).toContain('2 of 3 records are no longer listed, such as "Title 1", "Title 2"');
    expect((await add([file], ['--complete', '--dry-run'])).stdout).toContain('needs --accept\n');
    expect(ids()).toBe('p1 p2 p3');
    await add([file], [...COMPLETE, '--accept']);
    expect(ids()).toBe('p3 p4');
  });

  it.each<[what: string, name: string, content: string | Buffer, message: string]>([
    ['a bad record', 'a.jsonl', `${papers(1)}{bad\n`, 'records cannot be read: 1 malformed'],
    ['a cut file', 'b.jsonl', gzipSync(papers(1)).subarray(0, 25), 'b.jsonl breaks off'],
    ['a file that is none any more', 'a.jsonl', 'no records\n', 'a.jsonl had records, and now'],
    ['an empty file', 'a.jsonl', '', 'a.jsonl had records, and now it is passed over'],
  ])('refuses %s, and changes nothing', async (_, name, content, message) => {
    const { place, add, ids } = await newWorld();
    await writeFiles(place, { 'a.jsonl': papers(1, 2, 3) });
    await add([place]);
    await writeFiles(place, { [name]: content, 'c.jsonl': papers(9) });
    const { stderr } = await add([place], [...COMPLETE, '--accept'], 1);
    expect(stderr).toContain('the files do not show all of their source');
    expect(stderr).toContain(message);
    expect(ids()).toBe('p1 p2 p3');
  });

  it.each<[options: string[], message: string]>([
    [['--limit', '1'], "cannot be used with option '--limit <n>'"],
    [['--sample', '1'], "cannot be used with option '--sample <n>'"],
    [['--year', '2020..'], "cannot be used with option '--year <a..b>'"],
    [['--with-abstract'], "cannot be used with option '--with-abstract'"],
    [['--exclude', 'x'], "cannot be used with option '--exclude <pattern>'"],
    [['-'], 'reads files twice, and standard input only once'],
  ])('refuses %j', async (options, message) => {
    const { place, add } = await newWorld();
    const [file = ''] = await writeFiles(place, { 'a.jsonl': papers(1) });
    expect((await add([file], [...COMPLETE, ...options], 2)).stderr).toContain(message);
  });

  it('removes nothing before all is read, and is right after it was killed', async () => {
    const { place, database, add, ids } = await newWorld();
    const numbers = Array.from({ length: 300 }, (_, at) => 1000 + at);
    const [file = ''] = await writeFiles(place, { 'a.jsonl': papers(1, 2, 3) });
    await add([file]);
    await writeFiles(place, { 'a.jsonl': papers(...numbers, 2, 3) });
    const args = ['index', 'add', file, '--db', database, ...COMPLETE];
    const child = spawn(process.execPath, [bundlePath(), ...args], { stdio: 'pipe' });
    for await (const text of child.stderr) if (String(text).includes('reading ')) break;
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    expect(ids()).toContain('p1 ');
    await add([file], COMPLETE);
    expect(ids()).toBe([...numbers.map((number) => `p${number}`), 'p2', 'p3'].join(' '));
    expectSound(database, { documents: 302, sentences: 0 });
  });
});
