/** `index why`, `history`, `export`, `remove` by any id, and what is withheld, as a user meets them. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { jsonLines, writeFiles } from '../../ingest/index-files.ts';
import { checkCommand, failure } from '../../support/command-line.ts';
import { runCommand, runCommandJson } from '../../support/verbatim.ts';

const PREPRINT = {
  id: '2401.00001',
  title: 'How the tides of the North Sea rise',
  abstract: 'The sea rose.',
  authors_parsed: [['Berg', 'Anna', '']],
  categories: 'physics.ao-ph',
  doi: null,
  update_date: '2024-03-01',
  submitter: 'A',
  authors: 'Anna Berg',
  versions: [{ version: 'v1', created: 'Mon, 1 Jan 2024 10:00:00 GMT' }],
};
const PUBLISHED = {
  id: '10.5555/tides',
  title: PREPRINT.title,
  year: 2025,
  authors: ['Anna Berg'],
  venue: 'Shore',
  identifiers: { doi: '10.5555/tides', pmid: '7' },
};
const RETRACTED = {
  id: 'moon',
  title: 'What the moon does to the sea',
  abstract: 'The sea follows the moon.',
  withheld: 'retracted',
};

describe('an index of several sources', () => {
  let folder: string;
  let database: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'verbatim-sources-'));
    database = join(folder, 'index.db');
    const paths = await writeFiles(folder, {
      'arxiv.json': jsonLines([PREPRINT]),
      'own.jsonl': jsonLines([PUBLISHED, RETRACTED, { title: 'Nobody' }]),
    });
    const { stdout } = await runCommand(['index', 'add', ...paths, '--db', database]);
    expect(stdout).toMatch(/^2 added, 0 updated, 0 unchanged, 1 skipped; 2 sentences in /);
    expect(stdout).toContain('\n1 merged\nskipped: 1 without id\n');
    return () => rm(folder, { recursive: true });
  });

  it.each([
    ...['10.5555/tides', '10.5555/TIDES', 'https://doi.org/10.5555/tides', 'doi:10.5555/tides'],
    ...['arXiv:2401.00001v2', 'https://arxiv.org/abs/2401.00001', 'PMID:7', 'pmid: 7', '7'],
  ])('is explained by the name %s', async (name) => {
    const [document] = await runCommandJson<Record<string, unknown>[]>([
      'index',
      'why',
      name,
      '--db',
      database,
    ]);
    expect(document).toEqual({
      id: '10.5555/tides',
      title: PREPRINT.title,
      removed: false,
      withheld: null,
      identifiers: { doi: '10.5555/tides', arxiv: '2401.00001', pmid: '7' },
      sources: [
        {
          name: 'doi:10.5555/tides',
          part: 'record',
          updatedAt: 0,
          withheld: null,
          format: 'verbatim',
          file: join(folder, 'own.jsonl'),
          gives: ['id', 'title', 'year', 'authors', 'venue'],
        },
        {
          name: 'arxiv:2401.00001',
          part: 'record',
          updatedAt: expect.any(Number),
          withheld: null,
          format: 'arxiv',
          file: join(folder, 'arxiv.json'),
          gives: ['abstract'],
        },
      ],
    });
  });

  it('explains a document in plain text', async () => {
    const { stdout } = await runCommand(['index', 'why', 'Moon', '--db', database]);
    expect(stdout).toContain('moon (retracted)\nWhat the moon does to the sea\n');
    expect(stdout).toMatch(/\nid:moon \(retracted\) +id title abstract +verbatim +.*own\.jsonl\n/);
    await checkCommand(database, [['index', 'why', 'none'], failure('"none"')]);
  });

  it('omits retracted papers from results by default', async () => {
    const idsOf = async (...options: string[]): Promise<string[]> => {
      const args = ['search', 'what the moon does', '--db', database, ...options];
      const { results } = await runCommandJson<{ results: { d: string }[] }>(args);
      return results.map(({ d }) => d);
    };
    expect(await idsOf()).toEqual(['10.5555/tides']);
    expect(await idsOf('--with-withheld')).toEqual(['moon', '10.5555/tides']);
  });

  it('stores the reports of builds', async () => {
    const builds = await runCommandJson<Record<string, unknown>[]>([
      'index',
      'history',
      '--db',
      database,
    ]);
    expect(builds).toMatchObject([
      {
        number: 1,
        outcome: 'done',
        startedAt: expect.any(Number),
        endedAt: expect.any(Number),
        report: {
          read: 4,
          added: 2,
          merged: 1,
          skipped: 1,
          skippedBy: { without_id: 1 },
          sentences: 2,
          filesRead: 2,
          filesFailed: 0,
          resumed: 0,
          files: ['arxiv.json', 'own.jsonl'].map((name) => join(folder, name)),
        },
      },
    ]);
    const { stdout } = await runCommand(['index', 'history', '--db', database]);
    expect(stdout).toMatch(/^started .*\n20\d\d-.* done .*arxiv\.json and 1 more\n$/);
  });

  it('can be exported and restored', async () => {
    const [file, again, second] = ['export.jsonl', 'again.db', 'second.jsonl'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    expect(await runCommandJson(['index', 'export', '--out', file, '--db', database])).toEqual({
      documents: 2,
      leftOut: 0,
      file,
    });
    const { stdout } = await runCommand(['index', 'export', '--db', database]);
    expect(stdout).toBe(await readFile(file, 'utf8'));
    await runCommand(['index', 'add', file, '--db', again]);
    await runCommand(['index', 'export', '--out', second, '--db', again]);
    expect(await readFile(second, 'utf8')).toBe(stdout);
    const nowhere = join(folder, 'none', 'x.jsonl');
    const { stderr } = await runCommand(['index', 'export', '--out', nowhere, '--db', database], {
      code: 1,
    });
    expect(stderr).toMatch(/^verbatim: cannot write .*x\.jsonl: ENOENT/);
  });

  it('removes a document by any of its names', async () => {
    const names = ['https://arxiv.org/abs/2401.00001v1', 'MOON', 'W404'];
    const out = ['removed 10.5555/tides (', 'removed moon (MOON)', 'not in the index: W404'];
    await checkCommand(database, [['index', 'remove', ...names], { out }]);
    expect(await runCommandJson(['index', 'stats', '--db', database])).toMatchObject({
      documents: 0,
    });
    const { stdout } = await runCommand(['index', 'verify', '--db', database]);
    expect(stdout).toContain('the index is sound');
  });
});
