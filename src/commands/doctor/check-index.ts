/**
 * The index: has it documents, was it made with this model, and, with `--full`, is it sound? Of a
 * read-only index, the newest copy is checked. An index on PostgreSQL is read through its port.
 */

import { openExistingStore } from '../../database/open.ts';
import type { Connection } from '../../database/sqlite/connection.ts';
import { messageOf } from '../../errors.ts';
import { verifyCopy } from '../../index/copies/verify-copy.ts';
import {
  assertModel,
  earlierModelOf,
  REEMBED_ADVICE,
  readTotals,
} from '../../index/index-facts.ts';
import { isOnPostgres, placeOf } from '../../index/open/index-place.ts';
import { openIndex } from '../../index/open/open-index.ts';
import { openIndexFile } from '../../index/sqlite/index-file.ts';
import { verifyIndex } from '../../index/verify/verify-index.ts';
import type { Settings } from '../../settings/config.ts';
import { loadModel } from '../../text/embed/model.ts';
import { type DatabaseCheck, error, type Finding, ok, warning } from './check.ts';

/** Damaged runs of a copy to name. */
const PROBLEMS_MAX = 10;
const NO_DOCUMENTS = warning('no documents', 'add some: verbatim index add FILE');

export const checkIndex: DatabaseCheck = {
  name: 'index',
  run({ settings, isFull }, db) {
    if (isOnPostgres(settings)) return checkOnPostgres(settings, isFull);
    if (settings.readOnlyIndex !== '') return checkCopy(settings, isFull);
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

async function checkOnPostgres(settings: Settings, isFull: boolean): Promise<Finding[]> {
  const index = await openIndex(placeOf(settings));
  const source = await index.source({ limits: settings, model: loadModel(settings.model) });
  let size: string;
  try {
    const { documents, sentences } = await source.view((view) => view.totals());
    if (documents === 0) return [NO_DOCUMENTS];
    size = `PostgreSQL: ${documents} documents, ${sentences} sentences`;
  } catch (cause) {
    return [error(messageOf(cause), 'see VERBATIM_INDEX, --model, and the log of PostgreSQL')];
  } finally {
    await source.close();
  }
  if (!isFull) return [ok(`${size}; --full verifies them`)];
  const operator = await index.operator();
  try {
    return [verified((await operator.verify({ problemsMax: 1, onProgress() {} })).problems, size)];
  } finally {
    await operator.close();
  }
}

async function checkCopy(settings: IndexSettings, isFull: boolean): Promise<Finding[]> {
  const { database: path, lockWaitMs, model, readOnlyIndex } = settings;
  const pull = `fetch a copy: verbatim index pull SOURCE --to ${readOnlyIndex}`;
  let found: string;
  try {
    const index = openIndexFile({ path, lockWaitMs, copies: readOnlyIndex });
    try {
      const fault = faultOf(index.db(), model);
      if (fault !== undefined) return [fault];
      found = `copy ${index.copy()}: ${sizeOf(index.db())}`;
    } finally {
      index.close();
    }
  } catch (cause) {
    return [error(messageOf(cause), pull)];
  }
  if (!isFull) return [ok(`${found}; --full verifies them`)];
  const { problems, advice } = await verifyCopy(readOnlyIndex, {
    problemsMax: PROBLEMS_MAX,
    onProgress() {},
  });
  if (problems.length === 0) return [ok(`${found}, all verified`)];
  return problems.map((problem) => error(problem, advice));
}

function sizeOf(db: Connection): string {
  const { documents, sentences } = readTotals(db);
  return `${documents} documents, ${sentences} sentences`;
}

function faultOf(db: Connection, model: string): Finding | undefined {
  if (readTotals(db).documents === 0) {
    return NO_DOCUMENTS;
  }
  try {
    const loaded = loadModel(model);
    assertModel(db, loaded);
    const earlier = earlierModelOf(db, loaded);
    return earlier && warning(`${sizeOf(db)}, embedded by ${earlier.name}`, REEMBED_ADVICE);
  } catch (cause) {
    return error(messageOf(cause), 'use the model of the index');
  }
}

/** On a connection of its own, because SQLite's check of the full text counts as a write. */
function verify({ database: path, lockWaitMs }: IndexSettings, size: string): Finding[] {
  const db = openExistingStore({ path, lockWaitMs });
  try {
    return [verified(verifyIndex(db, { problemsMax: 1, onProgress() {} }).problems, size)];
  } finally {
    db.close();
  }
}

function verified([problem]: readonly string[], size: string): Finding {
  if (problem === undefined) return ok(`${size}, all verified`);
  return error(problem, 'see all problems: verbatim index verify; then build the index again');
}
