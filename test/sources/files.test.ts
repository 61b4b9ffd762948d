/** An address and a folder as sources. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../src/database/open.ts';
import { createSqliteSourceStore } from '../../src/index/sources/source-stores.ts';
import { htmlPage, type StubAnswer, startStub } from '../support/lanes/stub-server.ts';
import { runCommandJson } from '../support/verbatim.ts';
import { newSourceWorld } from './source-world.ts';

function lines(numbers: readonly number[], what = 'tides'): string {
  return numbers
    .map((number) => ({
      id: `10.5555/p${number}`,
      title: `A study of ${what} at harbor ${number}`,
      abstract: 'It rises.',
      year: 2024,
      authors: ['Ada Berg'],
    }))
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('');
}

const numbersOf = (papers: object): number[] =>
  Object.keys(papers)
    .map((id) => Number(/p(\d+)$/.exec(id)?.[1]))
    .sort((a, b) => a - b);

describe('an address', () => {
  it('is fetched again only if it changed, and what it no longer has is removed', async () => {
    const world = await newSourceWorld();
    let version = 1;
    const stub = await startStub(({ headers }): StubAnswer => {
      const etag = `"v${version}"`;
      if (headers['if-none-match'] === etag) return { status: 304 };
      return { headers: { etag }, body: lines(version === 1 ? [1, 2, 3] : [2, 3, 4]) };
    });
    onTestFinished(() => stub.close());
    await world.run(['add', `${stub.url}/papers.jsonl`, '--yes']);
    expect(await world.source()).toMatchObject({ name: 'papers', provider: 'files' });
    expect(numbersOf(world.papers())).toEqual([1, 2, 3]);
    await world.run(['update']);
    version = 2;
    await world.run(['update']);
    expect(numbersOf(world.papers())).toEqual([2, 3, 4]);
    expect(stub.requests).toHaveLength(3);
  });

  it('follows a redirect, and fails with a reason on a page of HTML', async () => {
    const world = await newSourceWorld();
    let isGone = false;
    const stub = await startStub(({ path }): StubAnswer => {
      if (path === '/old') return { status: 302, headers: { location: '/new' } };
      return isGone ? { body: htmlPage } : { body: lines([1, 2]) };
    });
    onTestFinished(() => stub.close());
    await world.run(['add', `${stub.url}/old`, '--name', 'ours', '--yes']);
    expect(numbersOf(world.papers())).toEqual([1, 2]);
    isGone = true;
    expect((await world.run(['update'], 1)).stderr).toContain('no format recognizes it');
    expect(numbersOf(world.papers())).toEqual([1, 2]);
  });
});

it('of a folder, papers may move between the files, and those in none are removed', async () => {
  const world = await newSourceWorld();
  const folder = join(world.folder, 'papers');
  await mkdir(folder);
  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  await write('a.jsonl', lines([1, 2, 3]));
  await write('b.jsonl', lines([4, 5, 6, 7]));
  await write('c.jsonl', lines([8]));
  await world.run(['add', folder, '--yes', '--name', 'ours']);
  expect(numbersOf(world.papers())).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  await write('a.jsonl', lines([2, 3]));
  await write('b.jsonl', lines([1, 4, 5, 6, 7]));
  await rm(join(folder, 'c.jsonl'));
  await world.run(['update']);
  expect(numbersOf(world.papers())).toEqual([1, 2, 3, 4, 5, 6, 7]);
  await write('b.jsonl', lines([4]));
  expect((await world.run(['update'], 1)).stderr).toMatch(
    /4 of 7 records are no longer listed, such as "A/,
  );
  expect(numbersOf(world.papers())).toEqual([1, 2, 3, 4, 5, 6, 7]);
  await world.run(['update', '--accept']);
  expect(numbersOf(world.papers())).toEqual([2, 3, 4]);
});

it('of tables in a folder, the same ids are other papers in each file', async () => {
  const world = await newSourceWorld();
  const folder = join(world.folder, 'tables');
  await mkdir(folder);
  for (const name of ['tides', 'winds']) {
    await writeFile(
      join(folder, `${name}.csv`),
      `id,title,abstract\n1,A study of ${name},It rises.\n`,
    );
  }
  await world.run(['add', folder, '--yes']);
  expect(Object.values(world.papers()).map(([title]) => title)).toEqual([
    'A study of tides',
    'A study of winds',
  ]);
  await rm(join(folder, 'winds.csv'));
  await world.run(['update']);
  expect(Object.values(world.papers()).map(([title]) => title)).toEqual(['A study of tides']);
});

describe('the command', () => {
  it.each([
    [['add', 'arxive'], 'there is no provider "arxive"; known are arxiv'],
    [['add', './there', '--set', 'cs', '--yes'], 'files takes no --set'],
    [['add', 'arxiv', '--url', 'mirror', '--yes'], 'it must be an http or https address'],
    [['add', 'https://ada:secret@example.org/a', '--yes'], 'without a user name and a password'],
    [['add', 'arxiv', '--from', 'May', '--yes'], '--from must be a year or a day'],
    [['add', 'arxiv', '--set', 'cs'], 'nobody can be asked here; add --yes'],
    [['add', 'arxiv', '--name', 'A B', '--yes'], '"A B" is no name of a source'],
    [['update', 'ours'], 'there is no source "ours"; there are: none'],
    [['update'], 'there are no sources'],
    [['remove', 'ours'], 'there is no source "ours"'],
  ])('explains what is wrong: %j', async (args, message) => {
    const world = await newSourceWorld();
    expect((await world.run(args, 2)).stderr).toContain(message);
  });

  it('leaves a source to the process that runs it, and a report of each run that read something', async () => {
    const world = await newSourceWorld();
    const folder = join(world.folder, 'papers');
    await mkdir(folder);
    await writeFile(join(folder, 'a.jsonl'), lines([1, 2]));
    await world.run(['add', folder, '--yes', '--later']);
    const store = createSqliteSourceStore(openStore({ path: world.database, lockWaitMs: 5000 }));
    await store.own('papers', 'another', Date.now() + 60_000);
    expect((await world.run(['update'])).stderr).toContain(
      'another process runs the source papers',
    );
    expect((await world.source()).isRunning).toBe(true);
    await store.disown('papers', 'another');
    await store.close();
    await world.run(['update']);
    await world.run(['update']);
    const history = await runCommandJson<{ outcome: string; report: { added: number } }[]>([
      ...['index', 'history', '--db', world.database],
    ]);
    expect(history).toMatchObject([
      { outcome: 'done', report: { added: 2, files: ['source papers'] } },
    ]);
  });

  it('stores the whole path of a folder, because runs may be started elsewhere', async () => {
    const world = await newSourceWorld();
    await world.run(['add', './there', '--name', 'ours', '--yes', '--later']);
    expect((await world.source()).options.url).toBe(resolve('there'));
  });

  it('forgets a source and keeps its papers', async () => {
    const world = await newSourceWorld();
    const folder = join(world.folder, 'papers');
    await mkdir(folder);
    await writeFile(join(folder, 'a.jsonl'), lines([1, 2]));
    await world.run(['add', folder, '--yes']);
    expect((await world.run(['add', folder, '--yes'], 1)).stderr).toContain('use --name');
    await world.run(['update', '--dry-run']);
    await world.run(['remove', 'papers']);
    expect((await world.run(['list'])).stdout).toBe('(none)\n');
    expect(numbersOf(world.papers())).toEqual([1, 2]);
  });
});
