/** `index verify`, `index stats` and `index remove` as a user runs them. */
import { copyFile, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { PROBLEMS_MAX } from '../../../src/commands/index/index-verify.ts';
import { openStore, openStoreForReading } from '../../../src/database/open.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { readTotals } from '../../../src/index/index-facts.ts';
import type { Citation } from '../../../src/types.ts';
import { expectSound, scratchFolder } from '../../ingest/index-files.ts';
import { type CommandRow, checkCommand, failure } from '../../support/command-line.ts';
import { runCommand, runCommandJson } from '../../support/verbatim.ts';

/** A sample document, and words that no other document contains. */
const REMOVED = 'sample:ecology-competition-barnacles';
const REMOVED_WORDS = 'Chthamalus Semibalanus';

let totals: { documents: number; sentences: number };

beforeAll(() => {
  const db = openStoreForReading({ path: inject('sampleIndex'), lockWaitMs: 5000 });
  totals = readTotals(db);
  db.close();
});

describe('verbatim index verify', () => {
  it('says that a sound index is sound and prints its size', async () => {
    const { documents, sentences } = totals;
    const out = [
      `${documents} documents, ${sentences.toLocaleString('en-US')} sentences`,
      'is sound',
    ];
    await checkCommand(inject('sampleIndex'), [['index', 'verify'], { out }]);
  });

  it('prints each problem and exits with code 1', async () => {
    const database = await damagedCopy((db) => {
      db.exec(`DELETE FROM signals WHERE document = (
        SELECT number FROM documents WHERE id = '${REMOVED}')`);
      db.exec("UPDATE index_facts SET value = 1 WHERE name = 'documents'");
    });
    const { stdout, stderr } = await runCommand(['index', 'verify', '--db', database], {
      code: 1,
    });
    expect(stdout).toContain(`${REMOVED}: 9 vectors expected, 0 stored\n`);
    expect(stdout).toContain(
      `the index has ${totals.documents} documents, but index_facts says 1\n`,
    );
    expect(stdout).not.toContain('is sound');
    expect(stderr).toContain('the index is damaged');
  });

  it('prints at most so many problems, as JSON, too', async () => {
    expect(totals.documents).toBeGreaterThan(PROBLEMS_MAX);
    const database = await damagedCopy((db) => db.exec('DELETE FROM signals'));
    const args = ['index', 'verify', '--db', database];
    const report = await runCommandJson<{ problems: string[] }>(args, { code: 1 });
    expect(report).toMatchObject(totals);
    expect(report.problems).toHaveLength(PROBLEMS_MAX);
  });

  it('reports a damaged file without an unexpected error', async () => {
    const database = await damagedCopy(() => {});
    await truncate(database, 400_000);
    const { stderr } = await runCommand(['index', 'verify', '--db', database], { code: 1 });
    expect(stderr).toMatch(/^verbatim: /);
    expect(stderr).not.toContain('unexpected error');
  });

  it.each<CommandRow>([
    [['index', 'verify'], missing()],
    [['index', 'stats'], missing()],
    [['index', 'remove', 'a'], missing()],
    [['search', 'a'], missing()],
  ])('says that there is no database: %j', async (args, expected) => {
    await checkCommand(join(await scratchFolder(), 'none.db'), [args, expected]);
  });
});

describe('verbatim index stats', () => {
  it('prints the contents of the index', async () => {
    const { stdout } = await runCommand(['index', 'stats', '--db', inject('sampleIndex')]);
    expect(stdout.split('\n').slice(0, 6)).toEqual([
      `documents  ${totals.documents}`,
      `sentences  ${totals.sentences.toLocaleString('en-US')}`,
      `languages  unknown ${totals.documents}`,
      `fields     unknown ${totals.documents}`,
      'complete   (nothing declared)',
      'model      verbatim-MiniLM-L6',
    ]);
    expect(stdout).toMatch(/\nfile {7}\/.*sample\.db, \d+\.\d MB\n$/);
  });

  it('prints the contents as JSON', async () => {
    const database = inject('sampleIndex');
    expect(await runCommandJson(['index', 'stats', '--db', database])).toEqual({
      ...totals,
      languages: [{ language: null, documents: totals.documents }],
      fields: [{ field: null, documents: totals.documents }],
      model: {
        name: 'verbatim-MiniLM-L6',
        dimensions: 384,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        compatible: [
          expect.stringMatching(/^[0-9a-f]{64}$/),
          expect.stringMatching(/^[0-9a-f]{64}$/),
        ],
      },
      removed: 0,
      bytes: (await readFile(database)).length,
      complete: [],
    });
  });

  it('says that an empty index has no model yet', async () => {
    const database = join(await scratchFolder(), 'empty.db');
    openStore({ path: database, lockWaitMs: 5000 }).close();
    const { stdout } = await runCommand(['index', 'stats', '--db', database]);
    expect(stdout).toMatch(/^documents +0\nsentences +0\n[\s\S]*\nmodel +\(none yet\)\n/);
    expectSound(database, { documents: 0, sentences: 0 });
  });
});

describe('verbatim index remove', () => {
  it('removes documents from the index and from searches, and names the missing ones', async () => {
    const database = await damagedCopy(() => {});
    expect(await foundIn(database)).toContain(REMOVED);
    const out = [`removed ${REMOVED}\n`, 'sample:none\n', '10.5555/x\n'];
    const ids = ['sample:none', REMOVED, '10.5555/x'];
    await checkCommand(database, [['index', 'remove', ...ids], { out }]);
    expect(await foundIn(database)).not.toContain(REMOVED);
    const { documents, sentences } = totals;
    expectSound(database, { documents: documents - 1, sentences: sentences - 7 });
    const again = await runCommandJson(['index', 'remove', REMOVED, '--db', database]);
    expect(again).toEqual({ removed: [], missing: [REMOVED] });
  });
});

/** A damaged copy of the sample index. */
async function damagedCopy(damage: (db: Connection) => void): Promise<string> {
  const database = join(await scratchFolder(), 'index.db');
  await copyFile(inject('sampleIndex'), database);
  const db = openStore({ path: database, lockWaitMs: 5000 });
  db.pragma('foreign_keys = OFF');
  damage(db);
  db.close();
  return database;
}

async function foundIn(database: string): Promise<string[]> {
  const args = ['search', REMOVED_WORDS, '--db', database];
  const { results } = await runCommandJson<{ results: Citation[] }>(args);
  return results.map(({ d }) => d);
}

function missing(): CommandRow[1] {
  return failure('there is no database at DATABASE');
}
