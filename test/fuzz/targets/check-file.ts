/** Reads a file as `index add --dry-run` does, and checks what the reader must hold for any file. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import type { VerbatimError } from '../../../src/errors.ts';
import { dryRun, type FileForecast } from '../../../src/ingest/dry-run-of-build.ts';
import type { Format } from '../../../src/ingest/read/packed-format.ts';
import { takesAll } from '../../../src/ingest/selection/selector.ts';
import { readSettings } from '../../../src/settings/config.ts';

export interface FileReading {
  forecasts: FileForecast[];
  /** Titles and sentences that would be embedded. */
  texts: string[];
  failures: VerbatimError[];
}

/** The errors that say what is wrong with a file. Any other is a defect. */
const EXPECTED = new Set(['unreadable_input']);

/** `format`: undefined if it is to be recognized. */
export async function readFile(path: string, format: Format | undefined): Promise<FileReading> {
  const reading: FileReading = { forecasts: [], texts: [], failures: [] };
  await dryRun({
    files: [{ path, bytes: statSync(path).size, isNamed: true }],
    format,
    selector: takesAll,
    limits: readSettings({}),
    signal: new AbortController().signal,
    listener: {
      file: (forecast) => reading.forecasts.push(forecast),
      text: (text) => reading.texts.push(text),
      passedOver: () => {},
      skipped: () => {},
      progress: () => {},
      fileFailed: (_path, error) => reading.failures.push(error),
    },
  });
  for (const error of reading.failures) {
    assert.ok(EXPECTED.has(error.code), `${error.code}: ${error.stack}`);
    assert.notEqual(error.message, '');
  }
  for (const forecast of reading.forecasts) checkCounts(forecast);
  for (const text of reading.texts) {
    assert.ok(text.isWellFormed(), 'a text is no Unicode');
    assert.notEqual(text.trim(), '', 'a text is blank');
  }
  return reading;
}

/** Each record is taken, deletes a paper, or is skipped with a reason. */
function checkCounts({ read, taken, deletions, skipped, skippedBy, leftOut }: FileForecast): void {
  assert.equal(taken + deletions + skipped + leftOut, read, 'a record is lost');
  const reasons = Object.values(skippedBy).reduce((sum, count) => sum + count, 0);
  assert.equal(reasons, skipped, 'a record is skipped without a reason');
}
