import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addFiles, jsonLines, scratchFolder, writeFiles } from './index-files.ts';

it('indexes the files of an archive, each in its own format, and names them', async () => {
  const folder = await scratchFolder();
  await writeFiles(folder, {
    'a.jsonl': jsonLines([{ id: 'a', title: 'Tides', abstract: 'The sea rises.' }, { id: 'b' }]),
    'b.ris': 'TY  - JOUR\nTI  - Sand\nDO  - 10.5555/sand\nER  - \n',
  });
  execFileSync('tar', ['-czf', 'papers.tgz', 'a.jsonl', 'b.ris'], { cwd: folder });
  const archive = join(folder, 'papers.tgz');
  const database = join(folder, 'index.db');
  const first = await addFiles([archive], { database });
  expect(first.counts).toMatchObject({ read: 3, added: 2, skipped: 1, filesFailed: 0 });
  expect(first.problems.join('\n')).toContain('papers.tgz!a.jsonl:2: skipped');
  const again = await addFiles([archive], { database });
  expect(again.counts).toMatchObject({ read: 3, added: 0, unchanged: 2 });
});
