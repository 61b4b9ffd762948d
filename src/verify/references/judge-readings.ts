/** Looks up what a reference may mean, and judges each of its readings. */
import type { MergedDocument } from '../../identity/merge-records.ts';
import { memoize } from '../../text/memoize.ts';
import type { DocumentNumber, Identifiers } from '../../types.ts';
import type { JudgedReference } from './assess-references.ts';
import type { CompleteSet } from './coverage.ts';
import { judgeReference } from './judge-reference.ts';
import type { ReadReference } from './reference.ts';
import { relateTitles } from './titles.ts';
import { groupVersions, type Work } from './work.ts';

export interface TitledDocument {
  number: DocumentNumber;
  titles: readonly string[];
}

export interface ReferenceDeps {
  /** What the index has completely. */
  complete: readonly CompleteSet[];
  ofDocuments: (documents: readonly DocumentNumber[]) => Promise<MergedDocument[]>;
  /** What documents and their records are called, which takes less time to read than all of them. */
  titlesOf: (documents: readonly DocumentNumber[]) => Promise<TitledDocument[]>;
  /** Documents with similar titles. */
  byTitle: (title: string) => Promise<DocumentNumber[]>;
  /** Documents with the rarest words of a text. */
  byWords: (text: string) => Promise<DocumentNumber[]>;
  byIdentifiers: (identifiers: Identifiers) => Promise<DocumentNumber[]>;
}

/** A judgment for each reading that has something to look up. */
export async function judgeReadings(
  { readings, words, hasTitle = () => false, readBeside = () => [] }: ReadReference,
  deps: ReferenceDeps,
): Promise<JudgedReference[]> {
  const known = readings.filter(
    ({ title, identifiers }) => title !== '' || Object.keys(identifiers).length > 0,
  );
  const numbers = new Set<DocumentNumber>();
  const identified = new Set<DocumentNumber>();
  for (const { title, identifiers } of known) {
    for (const one of await deps.byIdentifiers(identifiers)) {
      identified.add(one);
      numbers.add(one);
    }
    if (title !== '') for (const one of await deps.byTitle(title)) numbers.add(one);
  }
  // Other versions of an identified work have its title.
  const titles = [
    ...known.map(({ title }) => title),
    ...(await deps.ofDocuments([...identified])).map(({ document }) => document.title),
  ];
  const isMeant = memoize(
    (recorded) =>
      hasTitle(recorded) || titles.some((title) => relateTitles(title, recorded) !== 'other'),
  );
  const read = async (): Promise<Work[]> => {
    const found = await deps.titlesOf([...numbers]);
    const meant = found.filter((one) => identified.has(one.number) || one.titles.some(isMeant));
    return groupVersions(await deps.ofDocuments(meant.map(({ number }) => number)));
  };
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
