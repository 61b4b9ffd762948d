/** SQLite's own check of the file. */
import { integrityProblems, quickProblem } from '../../database/sqlite/integrity.ts';
import { type DatabaseCheck, error, ok } from './check.ts';

const ADVICE = 'stop the server, and restore the latest backup: verbatim restore FILE';

export const checkIntegrity: DatabaseCheck = {
  name: 'integrity',
  run({ isFull }, db) {
    const [problem] = isFull ? integrityProblems(db) : [quickProblem(db)];
    if (problem !== undefined) return [error(problem, ADVICE)];
    return [ok(isFull ? 'all pages, rows and indexes' : 'all pages and rows; --full for indexes')];
  },
};
