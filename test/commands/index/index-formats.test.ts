/** One file of each format into one index, as an operator would, and what comes out of it again. */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import type { BuildReport } from '../../../src/commands/index/build-report.ts';
import { formats } from '../../../src/ingest/formats.ts';
import { expectSound, readIndex, scratchFolder, writeFiles } from '../../ingest/index-files.ts';
import { runCommand, runCommandJson } from '../../support/verbatim.ts';

const folder = resolve(import.meta.dirname, '../../ingest/formats');

/** Those that have no fixture of their own there. */
const SHORT = {
  'beir.jsonl': '{"_id":"b1","title":"Of BEIR","text":"It rose.","metadata":{}}\n',
  'merged.csv': 'merge_date,id,merge_into_id\n2024-06-01,W104,W100\n',
  'ours.jsonl': '{"id":"own-1","title":"Of our own","abstract":"It fell."}\n',
};

it('one index holds every format and exports it again', async () => {
  const scratch = await scratchFolder();
  const fixtures = readdirSync(folder).filter((name) => !name.endsWith('.ts'));
  const files = [
    ...fixtures.map((name) => join(folder, name)),
    ...(await writeFiles(scratch, SHORT)),
  ];
  const [database, copy] = [join(scratch, 'index.db'), join(scratch, 'copy.db')];
  const { stdout, stderr } = await runCommand(
    ['index', 'add', ...files, '--db', database, '--json'],
    {},
  );
  const read = [...stderr.matchAll(/^reading \S+ \((\S+)\)$/gm)].map(([, format]) => format);
  expect(new Set(read)).toEqual(new Set(formats.map(({ name }) => name)));
  const report = JSON.parse(stdout) as BuildReport;
  expect(report).toMatchObject({ filesFailed: 0, resumed: 0 });
  expect(report.deleted).toBeGreaterThan(0);
  expect(report.merged).toBeGreaterThan(0);

  const index = readIndex(database);
  const documents = index.size;
  const sentences = [...index.values()].reduce((sum, row) => sum + row.sentences.length, 0);
  expectSound(database, { documents, sentences });
  expect(index.get('10.5555/shore.9')).toBeDefined();
  expect(index.has('W104')).toBe(false);

  const exported = join(scratch, 'export.jsonl');
  await runCommand(['index', 'export', '--db', database, '--out', exported]);
  const again = ['index', 'add', exported, '--db', copy];
  expect(await runCommandJson<BuildReport>(again)).toMatchObject({ added: documents, skipped: 0 });
  const second = await runCommand(['index', 'export', '--db', copy]);
  const first = await runCommand(['index', 'export', '--db', database]);
  expect(second.stdout.split('\n').sort()).toEqual(first.stdout.split('\n').sort());
});
