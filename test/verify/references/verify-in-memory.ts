/** Verifies references with an index in memory. */
import { join } from 'node:path';
import type { KeptRecord } from '../../../src/identity/kept-record.ts';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import { readSettings } from '../../../src/settings/config.ts';
import { openVerify, type VerifyTask } from '../../../src/verify/open-verify.ts';
import { parseCompleteSets } from '../../../src/verify/references/coverage.ts';
import type {
  ReferenceResult,
  ReferenceValue,
} from '../../../src/verify/references/verify-reference.ts';
import { recordOf } from '../../identity/records.ts';
import { emptyIndex } from '../../index/memory-index.ts';
import { arrive } from '../../index/toy-incoming-records.ts';
import { scratchFolder } from '../../ingest/index-files.ts';

export const TIDES: Partial<KeptRecord> = {
  id: '10.5555/tides',
  source: 'doi',
  title: 'Tides of the northern shore: measurements from moored instruments',
  year: 2020,
  authors: ['Anna Berg', 'Bo Dahl 0002', 'Eva Falk'],
  venue: 'Journal of Shores',
  identifiers: { doi: '10.5555/tides' },
};

interface Options extends Pick<VerifyTask, 'include'> {
  /** What the index has. */
  records: readonly Partial<KeptRecord>[];
  /** What it is declared to have completely. */
  complete?: string;
}

/** The results for references of one request, in their order. */
export async function verifyReferences(
  references: readonly ReferenceValue[],
  { records, complete = '', include = [] }: Options,
): Promise<ReferenceResult[]> {
  const path = join(await scratchFolder(), 'index.db');
  const writer = createIndexWriter(emptyIndex(path));
  for (const record of records) arrive(writer, recordOf(record));
  const opened = await openVerify({
    store: { path, lockWaitMs: 1000 },
    limits: readSettings({}, {}),
    complete: parseCompleteSets(complete),
  });
  const items = references.map((reference) => ({ reference }));
  const results = await opened.verify(items, { include }).finally(opened.close);
  return results as ReferenceResult[];
}
