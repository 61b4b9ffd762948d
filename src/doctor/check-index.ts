/**
 * The index: has it documents, was it made with this model, and, with `--full`, is it sound? Of a
 * read-only index, the newest copy is checked; `index pull` has compared all of its bytes.
 */
import { loadModel } from '../embed/model.ts';
import { messageOf } from '../errors.ts';
import type { Connection } from '../store/database/connection.ts';
import { assertModel, readTotals } from '../store/index/index-facts.ts';
import { verifyIndex } from '../store/index/verify/verify.ts';
import { openExistingStore } from '../store/open.ts';
import { openIndex } from '../store/open-index.ts';
import { type DatabaseCheck, error, type Finding, ok, warning } from './check.ts';

export const checkIndex: DatabaseCheck = {
  name: 'index',
  run({ settings, isFull }, db) {
    if (settings.readOnlyIndex !== '') return checkCopy(settings);
    const fault = faultOf(db, settings.model);
    if (fault !== undefined) return [fault];
    const size = sizeOf(db);
    return isFull ? verify(settings, size) : [ok(`${size}; --full verifies them`)];
  },
};

interface IndexSettings {
  database: string;
  lockWaitMs: number;
  model: string;
  readOnlyIndex: string;
}

function checkCopy({ database: path, lockWaitMs, model, readOnlyIndex }: IndexSettings): Finding[] {
  let index: ReturnType<typeof openIndex>;
  try {
    index = openIndex({ path, lockWaitMs, copies: readOnlyIndex });
  } catch (cause) {
    const advice = `fetch a copy: verbatim index pull FOLDER --to ${readOnlyIndex}`;
    return [error(messageOf(cause), advice)];
  }
  try {
    return [faultOf(index.db(), model) ?? ok(`copy ${index.copy()}: ${sizeOf(index.db())}`)];
  } finally {
    index.close();
  }
}

function sizeOf(db: Connection): string {
  const { documents, sentences } = readTotals(db);
  return `${documents} documents, ${sentences} sentences`;
}

function faultOf(db: Connection, model: string): Finding | undefined {
  if (readTotals(db).documents === 0) {
    return warning('no documents', 'add some: verbatim index add FILE');
  }
  try {
    assertModel(db, loadModel(model));
    return undefined;
  } catch (cause) {
    return error(messageOf(cause), 'name the model of the index with --model');
  }
}

/** On a connection of its own, because SQLite's check of the full text counts as a write. */
function verify({ database: path, lockWaitMs }: IndexSettings, size: string): Finding[] {
  const db = openExistingStore({ path, lockWaitMs });
  try {
    const [problem] = verifyIndex(db, { problemsMax: 1, onProgress() {} }).problems;
    if (problem === undefined) return [ok(`${size}, all verified`)];
    return [error(problem, 'see all problems: verbatim index verify; then build the index again')];
  } finally {
    db.close();
  }
}
