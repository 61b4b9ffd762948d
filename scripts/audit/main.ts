/**
 * Checks that each package of package-lock.json has an integrity hash and comes from the registry, and
 * that only packages named in `allowScripts` of package.json have install scripts. Then asks the registry
 * for known vulnerabilities. A registry that does not answer fails nothing, as it may be out of reach.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { defineMeasurement } from '../measure/run.ts';
import { sourcePath } from '../measure/sample.ts';
import { checkLockFile, readAdvisories } from './packages.ts';

const ANSWER_MS_MAX = 60_000;

export const measurement = defineMeasurement({
  options: {},
  async run() {
    const read = (name: string) => JSON.parse(readFileSync(sourcePath(name), 'utf8'));
    const { packages, wrong } = checkLockFile(read('package-lock.json'), read('package.json'));
    const options = { cwd: sourcePath('.'), timeout: ANSWER_MS_MAX, encoding: 'utf8' } as const;
    const { stdout } = spawnSync('npm', ['audit', '--json'], options);
    const { advisories, unanswered } = readAdvisories(stdout ?? '');
    return {
      report: { packages, advisories, unanswered },
      shown: [
        `lock file: ${packages} packages, ${wrong.length} problems`,
        unanswered === undefined
          ? `registry: ${advisories.length} known vulnerabilities`
          : `registry: no answer (${unanswered}); known vulnerabilities were not checked`,
        ...advisories,
      ],
      wrong,
      isMissed: advisories.length > 0,
    };
  },
});
