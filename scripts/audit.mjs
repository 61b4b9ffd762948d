#!/usr/bin/env node
/**
 * `npm run audit`: checks the packages of the lock file, and asks the registry for known
 * vulnerabilities. A registry that does not answer fails nothing, because it may be out of reach.
 *
 * Exits 1 if the lock file is wrong or a vulnerability is known, otherwise 0.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkLockFile } from './audit/check-lock-file.mjs';
import { readAdvisories } from './audit/read-advisories.mjs';

const HELP = `Usage: npm run audit [-- --json]

Checks that each package of package-lock.json has an integrity hash and comes from the registry,
and that only packages named in "allowScripts" of package.json have install scripts. Then asks the
registry for known vulnerabilities ("npm audit"), if it answers.

Options:
  --json      print JSON for programs
  -h, --help  display help for command

Example: npm run audit
`;
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const ANSWER_MS_MAX = 60_000;
const top = fileURLToPath(new URL('..', import.meta.url));

const args = process.argv.slice(2);
const unknown = args.find((arg) => !['--json', '-h', '--help'].includes(arg));
if (unknown !== undefined) {
  process.stderr.write(`audit: unknown option "${unknown}"; see --help\n`);
  process.exitCode = EXIT_USAGE;
} else if (args.includes('-h') || args.includes('--help')) {
  process.stdout.write(HELP);
} else {
  report(audit(), args.includes('--json'));
}

function audit() {
  const read = (name) => JSON.parse(readFileSync(`${top}/${name}`, 'utf8'));
  const { packages, wrong } = checkLockFile(read('package-lock.json'), read('package.json'));
  const { stdout } = spawnSync('npm', ['audit', '--json'], {
    cwd: top,
    encoding: 'utf8',
    timeout: ANSWER_MS_MAX,
  });
  return { packages, wrong, ...readAdvisories(stdout ?? '') };
}

function report({ packages, wrong, advisories, unanswered }, asJson) {
  if (wrong.length + advisories.length > 0) process.exitCode = EXIT_FAILED;
  if (asJson) {
    process.stdout.write(`${JSON.stringify({ packages, wrong, advisories, unanswered })}\n`);
    return;
  }
  const lines = [
    `lock file: ${packages} packages, ${wrong.length} problems`,
    ...wrong.map((problem) => `  ${problem}`),
    unanswered === undefined
      ? `registry: ${advisories.length} known vulnerabilities`
      : `registry: no answer (${unanswered}); known vulnerabilities were not checked`,
    ...advisories.map((advisory) => `  ${advisory}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
