/** Reads the JSON reports of vitest. */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Returns the files of the report NAME.json in a folder: path below `test/`, how many tests passed, and
 * the failed ones with their messages. A file that could not be loaded counts as one failed test, and
 * so does a failure of vitest itself, which NAME.status tells. Returns no files if there is no report.
 */
export function readReport(folder, name) {
  const status = join(folder, `${name}.status`);
  if (!existsSync(status)) return [];
  const path = join(folder, `${name}.json`);
  const { testResults } = existsSync(path)
    ? JSON.parse(readFileSync(path, 'utf8'))
    : { testResults: [] };
  const files = testResults.map(readFile);
  const code = Number(readFileSync(status, 'utf8'));
  if (code !== 0 && files.every(({ failures }) => failures.length === 0)) {
    const message = `exited with ${code}, and no test failed`;
    files.push({ file: undefined, passed: 0, failures: [{ test: name, message }] });
  }
  return files;
}

function readFile({ name, status, message, assertionResults }) {
  const failures = assertionResults
    .filter((test) => test.status === 'failed')
    .map(({ fullName, failureMessages }) => ({
      test: fullName,
      message: failureMessages[0] ?? '',
    }));
  const file = relative('test', name);
  if (status === 'failed' && failures.length === 0) failures.push({ test: file, message });
  const passed = assertionResults.filter((test) => test.status === 'passed').length;
  return { file, passed, failures };
}
