/** Ids that several files use for different papers, through the real program. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  addFiles,
  jsonLines,
  readIndex,
  scratchFolder,
  writeFiles,
} from '../../ingest/index-files.ts';
import { runCommand } from '../../support/verbatim.ts';

const TITLES = [
  ...['How the tides of the North Sea rise', 'What the moon does to the shore'],
  ...['Seagrass under the ice of the fjord', 'Counting gulls from a lighthouse'],
];
const OTHERS = [
  ...['Bread ovens of the upper valley', 'A grammar of bell ringing'],
  ...['Rust on iron bridges', 'The price of salt in old harbors'],
];

function table(titles: readonly string[], column = 'record_id'): string {
  const rows = titles.map((title, at) => `${at + 1},${title},It is ${title.toLowerCase()}.`);
  return `${[`${column},title,abstract`, ...rows].join('\n')}\n`;
}

function records(titles: readonly string[]): string {
  return jsonLines(titles.map((title, at) => ({ id: String(at + 1), title })));
}

describe('row numbers', () => {
  it('never replace records of another file and are recognized in an edited file', async () => {
    const folder = await scratchFolder();
    const database = join(folder, 'index.db');
    const [first, second, own] = (await writeFiles(folder, {
      'first.csv': table(TITLES),
      'second.csv': table(OTHERS, 'id'),
      'own.jsonl': records(['Lamps of the northern coast']),
    })) as [string, string, string];
    const { counts } = await addFiles([first, second, own], { database });
    expect(counts).toMatchObject({ read: 9, added: 9, updated: 0 });
    expect([...readIndex(database).keys()]).toEqual(
      ['1', ...[1, 2, 3, 4].flatMap((n) => [`first.csv::${n}`, `second.csv::${n}`])].sort(),
    );
    const edited = [`${TITLES[0]} in winter`, ...TITLES.slice(1)];
    await writeFiles(folder, { 'first.csv': table(edited), 'copy.csv': table(edited) });
    expect((await addFiles([first], { database })).counts).toMatchObject({
      added: 0,
      updated: 1,
      unchanged: 3,
    });
    const options = ['--source', 'first.csv'];
    const again = await addFiles([join(folder, 'copy.csv')], { database, options });
    expect(again.counts).toMatchObject({ added: 0, unchanged: 4 });
    expect(readIndex(database).get('first.csv::1')?.title).toBe(edited[0]);
  });
});

describe('a build that would replace papers of other titles', () => {
  it('stops before it adds anything, but continues with --accept', async () => {
    const folder = await scratchFolder();
    const database = join(folder, 'index.db');
    const [first, second, mixed] = (await writeFiles(folder, {
      'first.jsonl': records(TITLES),
      'second.jsonl': records(OTHERS),
      'new.csv': table(OTHERS),
    })) as [string, string, string];
    await addFiles([first], { database });
    const args = ['index', 'add', mixed, second, '--db', database];
    const { stdout, stderr } = await runCommand(args, { code: 1 });
    expect(stdout).toBe('');
    expect(stderr).toContain('nothing was added: 4 of the first 4 known papers would get');
    expect(stderr).toContain(`"1" is "${OTHERS[0]}", and was "${TITLES[0]}"`);
    expect(stderr).toContain('use --accept');
    expect([...readIndex(database).values()].map(({ title }) => title)).toEqual(TITLES);
    const { counts } = await addFiles([second], { database, options: ['--accept'] });
    expect(counts).toMatchObject({ updated: 4 });
  });

  it('stops if the files of one command have the same ids', async () => {
    const folder = await scratchFolder();
    const database = join(folder, 'index.db');
    const files = { 'first.jsonl': records(TITLES), 'second.jsonl': records(OTHERS) };
    const paths = await writeFiles(folder, files);
    await runCommand(['index', 'add', ...paths, '--db', database], { code: 1 });
    expect(readIndex(database).size).toBe(0);
  });

  it('says what to do about another bibliography of the same name', async () => {
    const folder = await scratchFolder();
    const database = join(folder, 'index.db');
    const [path] = (await writeFiles(folder, { 'refs.csv': table(TITLES) })) as [string];
    await addFiles([path], { database });
    await writeFiles(folder, { 'refs.csv': table(OTHERS) });
    const { stderr } = await runCommand(['index', 'add', path, '--db', database], { code: 1 });
    expect(stderr).toContain('name it with --source NAME');
    const { counts } = await addFiles([path], { database, options: ['--source', 'others'] });
    expect(counts).toMatchObject({ added: 4, updated: 0 });
  });
});

it('are one document if two files in our format have it, even after an export', async () => {
  const folder = await scratchFolder();
  const database = join(folder, 'index.db');
  const paper = { title: TITLES[0], authors: ['Anna Berg'], abstract: 'The sea rises at night.' };
  const [conference, preprints] = (await writeFiles(folder, {
    'conference.jsonl': jsonLines([{ ...paper, id: 'tides-01', year: 2024, venue: 'Tides' }]),
    'preprints.jsonl': jsonLines([{ ...paper, id: '2401.00001', year: 2024 }]),
  })) as [string, string];
  const { counts } = await addFiles([conference, preprints], { database });
  expect(counts).toMatchObject({ read: 2, added: 1, merged: 1 });
  const { stdout } = await runCommand([
    'search',
    'when does the sea rise',
    '--db',
    database,
    '--json',
  ]);
  const { results } = JSON.parse(stdout) as { results: { q: string }[] };
  expect(results.map(({ q }) => q)).toEqual(['The sea rises at night.']);
  // Of one file they stay two, or its export would not make the same documents again.
  const both = await writeFiles(folder, {
    'both.jsonl': jsonLines([
      { ...paper, id: 'a', year: 2024 },
      { ...paper, id: 'b', year: 2024 },
    ]),
  });
  const other = join(folder, 'other.db');
  expect((await addFiles(both, { database: other })).counts).toMatchObject({ added: 2, merged: 0 });
});
