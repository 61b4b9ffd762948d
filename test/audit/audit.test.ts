/** `npm run measure -- audit`: what it finds in a lock file, and what it makes of the registry's answers. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { checkLockFile, readAdvisories } from '../../scripts/audit/packages.ts';

const script = resolve(import.meta.dirname, '../../scripts/measure.mjs');

const good = { integrity: 'sha512-eA==' };

describe('the lock file', () => {
  it.each([
    ['no hash', {}, 'bad has no sha512 integrity hash'],
    ['a weak hash', { ...good, integrity: 'sha1-eA==' }, 'bad has no sha512 integrity hash'],
    [
      'a source of its own',
      { ...good, resolved: 'https://elsewhere.example/bad.tgz' },
      'bad comes from https://elsewhere.example/bad.tgz, not from the registry',
    ],
    [
      'an install script',
      { ...good, hasInstallScript: true },
      'bad has an install script; name it in "allowScripts" of package.json',
    ],
  ])('is wrong if a package has %s', (_what, bad, problem) => {
    const packages = {
      '': {},
      'node_modules/a': good,
      'node_modules/b': { ...good, hasInstallScript: true },
      'node_modules/a/node_modules/bad': bad,
      'node_modules/local': { link: true },
    };
    const found = checkLockFile({ packages }, { allowScripts: { b: false } });
    expect(found).toEqual({ packages: 3, wrong: [problem] });
  });
});

describe("the registry's answer", () => {
  it('names vulnerable packages', () => {
    const vulnerabilities = {
      a: { name: 'a', severity: 'high', range: '<2', via: [{ title: 'Prototype pollution' }] },
      b: { name: 'b', severity: 'high', range: '*', via: ['a'] },
    };
    expect(readAdvisories(JSON.stringify({ vulnerabilities }))).toEqual({
      advisories: ['a <2, high: Prototype pollution', 'b *, high: through a'],
      unanswered: undefined,
    });
  });

  it.each([
    ['{"statusCode":405,"error":{"summary":""}}', 'status 405'],
    ['{"error":{"summary":"offline"}}', 'offline'],
    ['', 'npm audit printed no JSON'],
  ])('may be missing: %s', (printed, unanswered) => {
    expect(readAdvisories(printed)).toEqual({ advisories: [], unanswered });
  });
});

describe('npm run measure -- audit', () => {
  const run = promisify(execFile);

  it('finds nothing wrong with the lock file', async () => {
    const { stdout } = await run(process.execPath, [script, 'audit', '--json']).catch(
      (error: { stdout: string }) => error,
    );
    const report = JSON.parse(stdout);
    expect(report.wrong).toEqual([]);
    expect(report.packages).toBeGreaterThan(50);
  });

  it('rejects unknown options', async () => {
    const failing = run(process.execPath, [script, 'audit', '--jsno']);
    await expect(failing).rejects.toMatchObject({ code: 2 });
  });
});
