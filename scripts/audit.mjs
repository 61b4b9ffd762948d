/**
 * Asks the registry for known vulnerabilities of the packages in the lock file: npm run audit
 *
 * Exits with 0 if there are none, or only those in audit-exceptions.json; with 1 if there are others, or
 * if an exception has ended or concerns nothing; with 3 if the registry does not tell, so that nothing was
 * checked. An exception is {"id": "GHSA-...", "reason": "...", "until": "2027-01-31"}; it ends after that
 * day (UTC). Node itself is no package of the lock file: see packaging/inputs.json.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const EXIT_FOUND = 1;
const EXIT_NOT_CHECKED = 3;
const here = import.meta.dirname;

const { values } = parseArgs({
  options: { exceptions: { type: 'string', default: join(here, 'audit-exceptions.json') } },
});
const exceptions = JSON.parse(readFileSync(values.exceptions, 'utf8'));
const { vulnerabilities, error } = askRegistry();
if (vulnerabilities === undefined) {
  console.error(`audit: NOTHING WAS CHECKED, because the registry does not tell: ${error}`);
  process.exitCode = EXIT_NOT_CHECKED;
} else {
  const problems = judge(advisoriesIn(vulnerabilities));
  for (const problem of problems) console.error(`audit: ${problem}`);
  if (problems.length > 0) process.exitCode = EXIT_FOUND;
  else console.log(`audit: no known vulnerabilities, with ${exceptions.length} exceptions`);
}

/** Returns what npm knows by package, or why it knows nothing. */
function askRegistry() {
  const { stdout, stderr } = spawnSync('npm', ['audit', '--json', '--package-lock-only'], {
    cwd: join(here, '..'),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  try {
    const { vulnerabilities: found, message } = JSON.parse(stdout);
    return { vulnerabilities: found, error: message };
  } catch {
    return { error: stderr.trim() };
  }
}

/** One entry per advisory. A package that only depends on a vulnerable one names that package. */
function advisoriesIn(found) {
  const advisories = Object.values(found)
    .flatMap(({ via }) => via)
    .filter((via) => typeof via === 'object')
    .map(({ url, name, severity, title }) => {
      return { id: url.split('/').at(-1), name, severity, title };
    });
  return [...new Map(advisories.map((one) => [one.id, one])).values()];
}

/** Returns a sentence for each advisory and each exception that is not in order. */
function judge(advisories) {
  const today = new Date().toISOString().slice(0, 10);
  const problems = [];
  for (const { id, reason = '', until = '' } of exceptions) {
    if (!/^\d{4}-\d\d-\d\d$/.test(until) || reason.trim() === '') {
      problems.push(`the exception ${id} needs a reason and a day on which it ends`);
    } else if (until < today) problems.push(`the exception ${id} ended on ${until}: ${reason}`);
    if (!advisories.some((one) => one.id === id)) {
      problems.push(`the exception ${id} concerns nothing any more; remove it`);
    }
  }
  const excepted = new Set(exceptions.map(({ id }) => id));
  for (const { id, name, severity, title } of advisories) {
    if (!excepted.has(id)) problems.push(`${name}: ${title} (${severity}, ${id})`);
  }
  return problems;
}
