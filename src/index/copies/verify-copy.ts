/** Checks the newest copy of an index in a folder. */

import type { VerifyOptions } from '../ports/operator-index.ts';
import type { VerifyReport } from '../verify/create-index-check.ts';
import { verifyIndex } from '../verify/verify-index.ts';
import { compareCopy } from './compare-copy.ts';
import { copyPaths, readLatest } from './copy-folder.ts';
import { openCopy } from './open-copy.ts';

export interface VerifiedCopy extends VerifyReport {
  /** The name of the copy. */
  copy: string;
  /** What makes it whole; empty if no problem was found. */
  advice: string;
}

/**
 * Compares the file with its manifest, and only if they are the same, the index in it with itself. The
 * full text is not compared with the documents, because SQLite counts that as a write. Throws
 * `verify_failed` if the folder has no copy.
 */
export async function verifyCopy(
  folder: string,
  { problemsMax, onProgress }: VerifyOptions,
): Promise<VerifiedCopy> {
  const copy = readLatest(folder);
  const { signal } = new AbortController();
  const damage = await compareCopy(folder, { afterPiece() {}, signal }, copy);
  if (damage.length > 0) {
    const problems = damage.slice(0, problemsMax);
    const advice =
      `fetch the damaged bytes again: verbatim index pull SOURCE --to ${folder}; ` +
      `in the publisher's own folder: verbatim index publish ${folder}`;
    return { copy, documents: 0, sentences: 0, problems, advice };
  }
  const db = openCopy({ path: copyPaths(folder, copy).database, lockWaitMs: 0 });
  try {
    const report = verifyIndex(db, { problemsMax, onProgress });
    const advice = 'it was published so: verify, mend, and publish the index where it is built';
    return { copy, ...report, advice: report.problems.length > 0 ? advice : '' };
  } finally {
    db.close();
  }
}
