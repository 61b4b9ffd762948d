/** The options of `verbatim index add` that choose records. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BuildReport } from '../../../src/commands/index/build-report.ts';
import { jsonLines, readIndex, scratchFolder, writeFiles } from '../../ingest/index-files.ts';
import { runVerbatim } from '../../support/verbatim.ts';

const RECORDS = [
  { id: 'a', title: 'Tides', abstract: 'It rose.', year: 2010, language: 'eng', type: 'Review' },
  { id: 'b', title: 'Gezeiten', year: 2015, language: 'de', type: 'journal-article' },
  { id: 'c', title: 'Moon', abstract: 'It shone.', year: 2020, language: 'English' },
  { id: 'd', title: 'Sand', abstract: 'It lay.' },
];

async function addWith(...options: string[]) {
  const folder = await scratchFolder();
  const [path = ''] = await writeFiles(folder, { 'a.jsonl': jsonLines(RECORDS) });
  const database = join(folder, 'index.db');
  const args = ['index', 'add', path, '--db', database, '--json', ...options];
  const { stdout, stderr } = await runVerbatim(args);
  const report = JSON.parse(stdout) as BuildReport;
  return { ids: [...readIndex(database).keys()].join(''), report, stderr };
}

describe('verbatim index add with a selection', () => {
  it.each<[options: string[], ids: string, leftOutBy: BuildReport['leftOutBy']]>([
    [['--language', 'en'], 'ac', { language: 2 }],
    [['--language', 'German,unknown'], 'bd', { language: 2 }],
    [['--year', '2011..2020'], 'bc', { year: 2 }],
    [['--year', '..2015'], 'ab', { year: 2 }],
    [['--year', '2015..,unknown'], 'bcd', { year: 1 }],
    [['--year', '2015'], 'b', { year: 3 }],
    [['--type', 'review,Journal Article'], 'ab', { type: 2 }],
    [['--with-abstract'], 'acd', { without_abstract: 1 }],
    [['--language', 'en', '--year', '2015..'], 'c', { language: 2, year: 1 }],
    [['--limit', '2'], 'ab', {}],
    [['--limit', '1', '--year', '2015..'], 'b', { year: 1 }],
    [['--sample', '4'], 'abcd', {}],
  ])('adds only the records that match %j', async (options, ids, leftOutBy) => {
    const { ids: found, report } = await addWith(...options);
    expect(found).toBe(ids);
    expect(report).toMatchObject({ added: ids.length, leftOutBy, skipped: 0 });
  });

  it('adds the same sample for the same seed, which it prints', async () => {
    const [first, again, other] = await Promise.all([
      addWith('--sample', '2'),
      addWith('--sample', '2', '--seed', '1'),
      addWith('--sample', '2', '--seed', '5'),
    ]);
    expect(first?.ids).toHaveLength(2);
    expect(again?.ids).toBe(first?.ids);
    expect(other?.ids).not.toBe(first?.ids);
    expect(first?.stderr).toContain('sampling 2 records with seed 1\n');
    expect(first?.report.leftOutBy).toEqual({ not_in_sample: 2 });
  });

  it('leaves existing documents unchanged', async () => {
    const folder = await scratchFolder();
    const database = join(folder, 'index.db');
    const [path = ''] = await writeFiles(folder, { 'a.jsonl': jsonLines(RECORDS) });
    await runVerbatim(['index', 'add', path, '--db', database]);
    await writeFiles(folder, { 'a.jsonl': jsonLines([{ ...RECORDS[0], title: 'New' }]) });
    await runVerbatim(['index', 'add', path, '--db', database, '--language', 'de']);
    expect(readIndex(database).get('a')?.title).toBe('Tides');
  });

  it.each<[options: string[], message: string]>([
    [['--year', '2020..2010'], 'It must be 2015..2020'],
    [['--year', '..'], 'It must be 2015..2020'],
    [['--year', '2015..2020,maybe'], 'It must be 2015..2020'],
    [['--language', 'en,,de'], 'It must be names separated by commas.'],
    [['--seed', '3'], '--seed needs --sample'],
    [['--sample', '9000000'], '--sample takes 5000000 records at most'],
    [['--dry-run', '--skipped', 'x'], "cannot be used with option '--skipped <file>'"],
  ])('rejects %s', async (options, message) => {
    const folder = await scratchFolder();
    const args = ['index', 'add', 'package.json', '--db', join(folder, 'x.db'), ...options];
    expect((await runVerbatim(args, { code: 2 })).stderr).toContain(message);
  });
});
