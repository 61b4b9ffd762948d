/** `verbatim model add`: from a folder as hubs publish it to an index that is searched with it. */
import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { scratchFolder, writeFiles } from '../ingest/index-files.ts';
import { runCommand, runCommandJson } from '../support/verbatim.ts';

const models = resolve(import.meta.dirname, '../fixtures/models');

it('is checked and measured, and an index is built, searched, and moved with it', async () => {
  const folder = await scratchFolder();
  const [tides, other] = ['xlm-roberta-mean', 'modernbert-cls'].map((name) => {
    cpSync(join(models, name), join(folder, name), { recursive: true });
    return join(folder, name);
  }) as [string, string];
  const db = ['--db', join(folder, 'verbatim.db')];
  const added = await runCommandJson<{ move?: unknown; textsPerSecond: number }>([
    ...['model', 'add', tides, '--dimensions', '8', ...db],
  ]);
  expect(added.textsPerSecond).toBeGreaterThan(0);
  const first = await runCommand(['model', 'add', tides, '--dimensions', '8', ...db]);
  expect(first.stdout).toMatch(/\nNext: verbatim index add --model .*xlm-roberta-mean FILE\n$/);
  expect(added.move).toBeUndefined();
  await writeFiles(folder, {
    'papers.jsonl': [
      {
        id: 'a',
        title: 'Tides',
        abstract: 'The moon pulls the sea. The tide rises along the shore.',
      },
      { id: 'b', title: 'Yeast', abstract: 'Yeast cells stop dividing when nitrogen runs out.' },
    ]
      .map((paper) => JSON.stringify(paper))
      .join('\n'),
  });
  await runCommandJson(['index', 'add', join(folder, 'papers.jsonl'), '--model', tides, ...db]);
  const search = (model: string) =>
    runCommandJson<{ results: { d: string; q: string }[] }>([
      ...['search', 'why does the tide rise', '--model', model, ...db],
    ]);
  expect((await search(tides)).results[0]?.q).toBe('The tide rises along the shore.');

  const { stdout } = await runCommand(['model', 'add', other, ...db]);
  expect(stdout).toMatch(/modernbert-cls: 16 dimensions, 64 tokens, pooling cls\n/);
  expect(stdout).toMatch(
    /this index: 5 texts, about .+ to embed again\nNext: verbatim index reembed/,
  );
  await runCommandJson(['index', 'reembed', '--model', other, ...db]);
  expect((await search(other)).results[0]?.d).toBe('a');
});

it('refuses a folder that is no model, in one line', async () => {
  const { stderr } = await runCommand(['model', 'add', join(models, 'bert-reranker')], {
    code: 1,
  });
  expect(stderr).toMatch(
    /^verbatim: cannot use the model in .*Classification scores texts.*; VERBATIM_RERANKER takes .*\n$/,
  );
});
