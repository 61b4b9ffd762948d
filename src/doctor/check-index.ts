/** The index: has it documents, was it made with this model, and, with `--full`, is it sound? */
import { loadModel } from '../embed/model.ts';
import { messageOf } from '../errors.ts';
import { assertModel, readTotals } from '../store/index/index-facts.ts';
import { verifyIndex } from '../store/index/verify/verify.ts';
import { openExistingStore } from '../store/open.ts';
import { type DatabaseCheck, error, type Finding, ok, warning } from './check.ts';

export const checkIndex: DatabaseCheck = {
  name: 'index',
  run({ settings, isFull }, db) {
    const { documents, sentences } = readTotals(db);
    const size = `${documents} documents, ${sentences} sentences`;
    if (documents === 0) return [warning('no documents', 'add some: verbatim index add FILE')];
    try {
      assertModel(db, loadModel(settings.model));
    } catch (cause) {
      return [error(messageOf(cause), 'name the model of the index with --model')];
    }
    return isFull ? verify(settings, size) : [ok(`${size}; --full verifies them`)];
  },
};

/** On a connection of its own, because SQLite's check of the full text counts as a write. */
function verify(
  { database: path, lockWaitMs }: { database: string; lockWaitMs: number },
  size: string,
): Finding[] {
  const db = openExistingStore({ path, lockWaitMs });
  try {
    const [problem] = verifyIndex(db, { problemsMax: 1, onProgress() {} }).problems;
    if (problem === undefined) return [ok(`${size}, all verified`)];
    return [error(problem, 'see all problems: verbatim index verify; then build the index again')];
  } finally {
    db.close();
  }
}
