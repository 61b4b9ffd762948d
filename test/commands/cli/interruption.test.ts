/** A command that a server has started ends with the server, however early that is. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { bundlePath } from '../../../src/settings/bundle.ts';
import { temporaryFolder } from '../../support/accounts.ts';

const folder = temporaryFolder();

it('a build whose server ended before the build began stops after the first documents', async () => {
  const path = join(folder, 'rivers.jsonl');
  const records = Array.from({ length: 500 }, (_, number) =>
    JSON.stringify({ id: `${number}`, title: `River ${number}`, abstract: 'It rose.' }),
  );
  writeFileSync(path, records.join('\n'));
  const args = [bundlePath(), 'index', 'add', path, '--db', join(folder, 'verbatim.db')];
  const build = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  build.disconnect();
  const said = text(build.stderr as NodeJS.ReadableStream);
  expect(await once(build, 'exit')).toEqual([130, null]);
  expect(await said).toContain('verbatim: interrupted; run the same command to resume');
});
