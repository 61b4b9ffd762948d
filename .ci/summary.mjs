/**
 * Prints what failed, and the counts of all suites on a line of their own. A folder has the report
 * SUITE.first of each suite, and SUITE.second if files were run again. Exits with 1 if something failed
 * and was not mended by the second run: node .ci/summary.mjs FOLDER SUITE...
 */
import { readReport } from './reports.mjs';

const MESSAGE_LENGTH_MAX = 600;

const [folder, ...suites] = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const suite of suites) {
  const first = readReport(folder, `${suite}.first`);
  const second = readReport(folder, `${suite}.second`);
  print('FAILED', first);
  print('FAILED AGAIN, ALONE', second);
  const repeated = new Set(second.map(({ file }) => file));
  for (const result of [...first.filter(({ file }) => !repeated.has(file)), ...second]) {
    passed += result.passed;
    failed += result.failures.length;
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function print(how, files) {
  for (const { test, message } of files.flatMap(({ failures }) => failures)) {
    console.log(`${how}: ${test}\n${message.slice(0, MESSAGE_LENGTH_MAX)}\n`);
  }
}
