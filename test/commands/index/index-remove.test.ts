/** `index remove` as a user runs it: a removed paper stays out until it is restored. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  addFiles,
  expectSound,
  jsonLines,
  scratchFolder,
  writeFiles,
} from '../../ingest/index-files.ts';
import { checkCommand } from '../../support/command-line.ts';
import { runCommand, runCommandJson, runVerbatim } from '../../support/verbatim.ts';

const TIDES = {
  id: 'berg2020',
  doi: '10.5555/tides',
  title: 'Tides and eelgrass in sheltered bays',
  abstract: 'Eelgrass grows faster.',
  year: 2020,
  authors: ['Anna Berg'],
};
const MOON = { id: 'moon', title: 'Moon', abstract: 'It shone.' };

describe('verbatim index remove', () => {
  it('keeps a paper out of every add, says so, and lets it come back', async () => {
    const folder = await scratchFolder();
    const database = join(folder, 'index.db');
    const [ours = '', theirs = ''] = await writeFiles(folder, {
      'ours.jsonl': jsonLines([TIDES, MOON]),
      'theirs.csv': 'DOI,Title\nhttps://doi.org/10.5555/TIDES,Tides\n',
    });
    await addFiles([ours], { database });
    await checkCommand(database, [
      ['index', 'remove', 'https://doi.org/10.5555/TIDES'],
      { out: 'removed 10.5555/tides (https://doi.org/10.5555/TIDES)' },
    ]);
    const again = await addFiles([ours, theirs], { database });
    expect(again.counts).toMatchObject({ added: 0, unchanged: 1, keptAway: 2 });
    const through = ['sh', '-c', `exec "$0" "$@" < ${ours}`];
    const piped = await runVerbatim(['index', 'add', '-', '--db', database], { through });
    expect(piped.stdout).toContain('1 kept away, because their paper was removed');
    await checkCommand(database, [
      ['index', 'why', 'doi:10.5555/tides'],
      { out: ['removed, and kept out until: verbatim index remove --restore 10.5555/tides'] },
    ]);
    const why = await runCommandJson(['index', 'why', '10.5555/tides', '--db', database]);
    expect(why).toMatchObject([{ id: '10.5555/tides', removed: true, title: TIDES.title }]);
    await checkCommand(database, [['index', 'stats'], { out: ['removed 2 records'] }]);
    expectSound(database, { documents: 1, sentences: 1 });

    await checkCommand(database, [
      ['index', 'remove', '--restore', '10.5555/never', 'https://doi.org/10.5555/tides'],
      { out: ['was not removed: 10.5555/never', 'restored https://doi.org/10.5555/tides'] },
    ]);
    expect((await addFiles([ours, theirs], { database })).counts).toMatchObject({
      added: 1,
      merged: 1,
      unchanged: 1,
      keptAway: 0,
    });
    expectSound(database, { documents: 2, sentences: 2 });
  });

  it('takes more names than one transaction, in any form, and reports them in their order', async () => {
    const folder = await scratchFolder();
    const database = join(folder, 'index.db');
    const [papers = ''] = await writeFiles(folder, { 'papers.jsonl': jsonLines([TIDES, MOON]) });
    await addFiles([papers], { database });
    const unknown = Array.from({ length: 1_100 }, (_, at) => `none${at}`);
    const names = ['moon', ...unknown, 'doi:10.5555/TIDES', 'moon', '10.5555/tides'];
    const removed = await runCommandJson(['index', 'remove', ...names, '--db', database]);
    expect(removed).toEqual({ removed: ['moon', '10.5555/tides'], missing: unknown });
    expectSound(database, { documents: 0, sentences: 0 });
    const back = ['index', 'remove', '--restore', ...names, '--db', database];
    expect(await runCommandJson(back)).toEqual({
      restored: ['moon', 'doi:10.5555/TIDES'],
      missing: [...unknown, 'moon', '10.5555/tides'],
    });
  });

  it('holds in a restored backup and a rewritten file, and an export does not have the paper', async () => {
    const folder = await scratchFolder();
    const [database, backup, restored] = ['index.db', 'backup.db', 'restored.db'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    const [papers = ''] = await writeFiles(folder, { 'papers.jsonl': jsonLines([TIDES, MOON]) });
    await addFiles([papers], { database });
    await runCommand(['index', 'remove', '10.5555/tides', '--db', database]);
    await runCommand(['backup', backup, '--db', database]);
    await runCommand(['restore', backup, '--db', restored]);
    await runCommand(['index', 'optimize', '--rewrite', '--db', restored]);
    expect((await addFiles([papers], { database: restored })).counts).toMatchObject({
      added: 0,
      unchanged: 1,
      keptAway: 1,
    });
    expectSound(restored, { documents: 1, sentences: 1 });
    const { stdout } = await runCommand(['index', 'export', '--db', restored]);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual(['moon']);
  });

  it('holds for sources, also when they no longer have the paper and have it again', async () => {
    const folder = await scratchFolder();
    const database = join(folder, 'index.db');
    const papers = join(folder, 'papers');
    await mkdir(papers);
    const write = (records: object[]) => writeFiles(papers, { 'papers.jsonl': jsonLines(records) });
    const update = () => runCommand(['source', 'update', '--db', database]);
    await write([TIDES, MOON, { ...MOON, id: 'c', title: 'C' }]);
    await runCommand(['source', 'add', papers, '--yes', '--db', database]);
    await runCommand(['index', 'remove', '10.5555/tides', '--db', database]);
    await write([MOON, { ...MOON, id: 'c', title: 'C changed' }]);
    await update();
    await write([TIDES, MOON, { ...MOON, id: 'c', title: 'C again' }]);
    await update();
    const { stdout } = await runCommand(['index', 'why', '10.5555/tides', '--db', database]);
    expect(stdout).toContain('removed, and kept out');
    expectSound(database, { documents: 2, sentences: 2 });
  });
});
