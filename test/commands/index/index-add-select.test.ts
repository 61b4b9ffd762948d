/** The options of `verbatim index add` that choose records. */
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import {
  type SelectionOptions,
  selectionOf,
  withSelectionOptions,
} from '../../../src/commands/index/selection-options.ts';
import { createSelector } from '../../../src/ingest/selection/selector.ts';
import { recordOf } from '../../identity/records.ts';
import {
  addFiles,
  jsonLines,
  readIndex,
  scratchFolder,
  writeFiles,
} from '../../ingest/index-files.ts';
import { runCommand } from '../../support/verbatim.ts';

const RECORDS = [
  { id: 'a', title: 'Tides', abstract: 'It rose.', year: 2010, language: 'eng', type: 'Review' },
  { id: 'b', title: 'Gezeiten', year: 2015, language: 'de', type: 'journal-article' },
  { id: 'c', title: 'Moon', abstract: 'It shone.', year: 2020, language: 'English' },
  { id: 'd', title: 'Sand', abstract: 'It lay.' },
];

/** The ids of the records that the options select. */
function selected(options: readonly string[]): string {
  const command = withSelectionOptions(new Command()).parse(options, { from: 'user' });
  const { leftOut } = createSelector(selectionOf(command.opts<SelectionOptions>()));
  const listOf = (value: string | undefined) => (value === undefined ? [] : [value]);
  return RECORDS.filter(({ language, type, ...record }) => {
    const about = { languages: listOf(language), types: listOf(type), fields: [] };
    return leftOut(recordOf(record), about) === undefined;
  })
    .map(({ id }) => id)
    .join('');
}

const idsIn = (database: string): string => [...readIndex(database).keys()].join('');

describe('the options of a selection', () => {
  it.each([
    [['--language', 'en'], 'ac'],
    [['--language', 'German,unknown'], 'bd'],
    [['--year', '2011..2020'], 'bc'],
    [['--year', '..2015'], 'ab'],
    [['--year', '2015..,unknown'], 'bcd'],
    [['--year', '2015'], 'b'],
    [['--type', 'review,Journal Article'], 'ab'],
    [['--with-abstract'], 'acd'],
    [['--language', 'en', '--year', '2015..'], 'c'],
  ])('%j select %s', (options, ids) => {
    expect(selected(options)).toBe(ids);
  });

  it.each<[options: string[], message: string]>([
    [['--year', '2020..2010'], 'It must be 2015..2020'],
    [['--year', '..'], 'It must be 2015..2020'],
    [['--year', '2015..2020,maybe'], 'It must be 2015..2020'],
    [['--language', 'en,,de'], 'names separated by commas'],
    [['--seed', '3'], '--seed needs --sample'],
    [['--sample', '9000000'], '--sample takes 5000000 records at most'],
    [['--dry-run', '--embeddings', 'x'], "cannot be used with option '--embeddings <file>'"],
  ])('cannot be %s', async (options, message) => {
    const args = ['index', 'add', 'package.json', '--db', '/nowhere/x.db', ...options];
    expect((await runCommand(args, { code: 2 })).stderr).toContain(message);
  });
});

describe('verbatim index add with a selection', () => {
  it('adds only what matches all options, and leaves existing documents unchanged', async () => {
    const folder = await scratchFolder();
    const paths = await writeFiles(folder, { 'a.jsonl': jsonLines(RECORDS) });
    const database = join(folder, 'index.db');
    const filters = ['--language', 'en,de', '--year', '2010..', '--type', 'review,unknown'];
    const options = [...filters, '--with-abstract'];
    const { counts } = await addFiles(paths, { database, options });
    expect(counts).toMatchObject({ added: 2, leftOutBy: { language: 1, type: 1 }, skipped: 0 });
    expect(idsIn(database)).toBe('ac');
    await writeFiles(folder, { 'a.jsonl': jsonLines([{ ...RECORDS[0], title: 'New' }]) });
    await addFiles(paths, { database, options: ['--language', 'de'] });
    expect(readIndex(database).get('a')?.title).toBe('Tides');
  });

  it('takes the first records, or a sample by its seed, which it prints', async () => {
    const folder = await scratchFolder();
    const paths = await writeFiles(folder, { 'a.jsonl': jsonLines(RECORDS) });
    const add = async (...options: string[]) => {
      const database = join(folder, `${options.join('')}.db`);
      const { counts, problems } = await addFiles(paths, { database, options });
      return { ids: idsIn(database), counts, problems };
    };
    const limited = await add('--limit', '1', '--year', '2015..');
    expect([limited.ids, limited.counts.leftOutBy]).toEqual(['b', { year: 1 }]);
    const first = await add('--sample', '2');
    const other = await add('--sample', '2', '--seed', '5');
    expect(first.ids).toHaveLength(2);
    expect(other.ids).not.toBe(first.ids);
    expect(first.problems).toContain('sampling 2 records with seed 1');
    expect(first.counts.leftOutBy).toEqual({ not_in_sample: 2 });
  });
});
