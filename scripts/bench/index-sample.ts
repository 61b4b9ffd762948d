/** The index that most scripts work on. */
import { samplePath } from '../../src/bundle.ts';
import { runVerbatim } from './processes.ts';

/** Adds the sample documents to an index, as `verbatim index add` does. */
export async function indexSample(database: string): Promise<void> {
  await runVerbatim(['index', 'add', samplePath(), '--db', database]);
}
