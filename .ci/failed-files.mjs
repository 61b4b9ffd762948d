/**
 * Prints the test files that failed in the report NAME.json, one a line. Prints none if there are more
 * than a busy machine explains: node .ci/failed-files.mjs FOLDER NAME
 */
import { readReport } from './reports.mjs';

const FILES_MAX = 5;

const [folder, name] = process.argv.slice(2);
const failed = readReport(folder, name).filter(({ failures }) => failures.length > 0);
if (failed.length <= FILES_MAX) {
  for (const { file } of failed) if (file !== undefined) console.log(file);
}
