/** Looks up what a reference may mean, and judges each of its readings. */
import type { MergedDocument } from '../../identity/merge-records.ts';
import type { DocumentNumber, Identifiers } from '../../types.ts';
import type { JudgedReference } from './assess-references.ts';
import type { CompleteSet } from './coverage.ts';
import { judgeReference } from './judge-reference.ts';
import type { ReadReference } from './reference.ts';
import { groupVersions, type Work } from './work.ts';

export interface ReferenceDeps {
  /** What the index has completely. */
  complete: readonly CompleteSet[];
  ofDocuments: (documents: readonly DocumentNumber[]) => Promise<MergedDocument[]>;
  /** Documents with similar titles. */
  byTitle: (title: string) => Promise<DocumentNumber[]>;
  /** Documents with the rarest words of a text. */
  byWords: (text: string) => Promise<DocumentNumber[]>;
  byIdentifiers: (identifiers: Identifiers) => Promise<DocumentNumber[]>;
}

/** A judgment for each reading that has something to look up. */
export async function judgeReadings(
  { readings, words, readBeside = () => [] }: ReadReference,
  deps: ReferenceDeps,
): Promise<JudgedReference[]> {
  const known = readings.filter(
    ({ title, identifiers }) => title !== '' || Object.keys(identifiers).length > 0,
  );
  const numbers = new Set<DocumentNumber>();
  for (const { title, identifiers } of known) {
    for (const one of await deps.byIdentifiers(identifiers)) numbers.add(one);
    if (title !== '') for (const one of await deps.byTitle(title)) numbers.add(one);
  }
  const read = async (): Promise<Work[]> => groupVersions(await deps.ofDocuments([...numbers]));
  let works = await read();
  let beside = readBeside(works);
  if (words !== undefined && beside.length === 0) {
    for (const one of await deps.byWords(words)) numbers.add(one);
    works = await read();
    beside = readBeside(works);
  }
  // A reading beside a work already has everything that the text says about that work.
  return (beside.length > 0 ? beside : known).map((cited) => ({
    cited,
    judgment: judgeReference(cited, works),
  }));
}
