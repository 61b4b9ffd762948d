import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'verbatim-ci-'));
});

/** Writes a report of vitest: file names with the status of each test. */
function report(name: string, exitStatus: number, files: Record<string, string[]>): void {
  const testResults = Object.entries(files).map(([file, statuses]) => ({
    name: join(ROOT, 'test', file),
    status: statuses.includes('passed') ? 'passed' : 'failed',
    message: 'cannot be loaded',
    assertionResults: statuses.map((status, index) => ({
      status,
      fullName: `${file} ${index}`,
      failureMessages: status === 'failed' ? [`reason of ${index}`] : [],
    })),
  }));
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ testResults }));
  writeFileSync(join(folder, `${name}.status`), `${exitStatus}\n`);
}

function run(script: string, ...args: string[]) {
  const child = spawnSync(process.execPath, [join('.ci', script), folder, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return { status: child.status, lines: child.stdout.split('\n'), stderr: child.stderr };
}

describe('the summary of CI', () => {
  it('adds the counts of all suites', () => {
    report('a.first', 0, { 'x.test.ts': ['passed', 'passed', 'skipped'] });
    report('b.first', 0, { 'y.test.ts': ['passed'] });
    expect(run('summary.mjs', 'a', 'b')).toMatchObject({
      status: 0,
      lines: ['3 passed, 0 failed', ''],
    });
  });

  it('takes the second run of a file, and still names what failed in the first', () => {
    report('a.first', 1, { 'x.test.ts': ['passed', 'failed'], 'y.test.ts': ['passed'] });
    expect(run('failed-files.mjs', 'a.first').lines).toEqual(['x.test.ts', '']);
    report('a.second', 0, { 'x.test.ts': ['passed', 'passed'] });
    const { status, lines } = run('summary.mjs', 'a');
    expect(status).toBe(0);
    expect(lines).toEqual(['FAILED: x.test.ts 1', 'reason of 1', '', '3 passed, 0 failed', '']);
  });

  it('fails if the second run fails too', () => {
    report('a.first', 1, { 'x.test.ts': ['passed', 'failed'] });
    report('a.second', 1, { 'x.test.ts': ['passed', 'failed'] });
    const { status, lines } = run('summary.mjs', 'a');
    expect(status).toBe(1);
    expect(lines).toContain('FAILED AGAIN, ALONE: x.test.ts 1');
    expect(lines).toContain('1 passed, 1 failed');
  });

  it('fails if a file cannot be loaded', () => {
    report('a.first', 1, { 'x.test.ts': [] });
    expect(run('failed-files.mjs', 'a.first').lines).toEqual(['x.test.ts', '']);
    expect(run('summary.mjs', 'a')).toMatchObject({
      status: 1,
      lines: ['FAILED: x.test.ts', 'cannot be loaded', '', '0 passed, 1 failed', ''],
    });
  });

  it('fails if vitest fails without a failed test or without a report', () => {
    report('a.first', 1, { 'x.test.ts': ['passed'] });
    expect(run('failed-files.mjs', 'a.first').lines).toEqual(['']);
    writeFileSync(join(folder, 'b.first.status'), '137\n');
    expect(run('failed-files.mjs', 'b.first').lines).toEqual(['']);
    const { status, lines } = run('summary.mjs', 'a', 'b');
    expect(status).toBe(1);
    expect(lines).toContain('exited with 137, and no test failed');
    expect(lines).toContain('1 passed, 2 failed');
  });

  it('does not repeat a suite of which much failed', () => {
    const files = Array.from({ length: 6 }, (_, index) => [`${index}.test.ts`, ['failed']]);
    report('a.first', 1, Object.fromEntries(files));
    expect(run('failed-files.mjs', 'a.first').lines).toEqual(['']);
    expect(run('summary.mjs', 'a').status).toBe(1);
  });
});
