/** Who cites whom among the papers of an index. */
import { citedWorkOf } from '../identity/cited-work-keys.ts';
import { identifierKeysOf } from '../identity/record-keys.ts';
import { findEachNamed, keysNamed } from '../index/ports/find-named.ts';
import type { IndexView } from '../index/ports/index-source.ts';
import type { CitedWork, DocumentNumber } from '../types.ts';

/** What a paper cites. */
export interface CitedWorks {
  /** The papers that the index has. */
  documents: ArrayLike<DocumentNumber>;
  /** The works that it does not have, in the order of the longest list of the paper's records. */
  absent: CitedWork[];
}

/**
 * Returns for each document those that cite it, ascending. Merged versions of a paper may cite each other, and
 * no paper is said to cite itself.
 */
export function citingOf(
  documents: readonly DocumentNumber[],
  view: Pick<IndexView, 'merged' | 'citing'>,
): Promise<Uint32Array[]> {
  return citing(
    documents.map((document) => ({ keys: [], documents: [document] })),
    view,
  );
}

/** Returns the same for each identifier in any form, whether or not the index has the work. */
export async function citingNamed(
  names: readonly string[],
  view: Pick<IndexView, 'withIds' | 'withKeys' | 'merged' | 'citing'>,
): Promise<Uint32Array[]> {
  const found = await findEachNamed(view, names);
  return await citing(
    found.map((documents, at) => ({ keys: keysNamed(names[at] as string), documents })),
    view,
  );
}

/** Works by keys, and by documents of the index. */
async function citing(
  works: readonly { keys: readonly string[]; documents: readonly DocumentNumber[] }[],
  view: Pick<IndexView, 'merged' | 'citing'>,
): Promise<Uint32Array[]> {
  const merged = (await view.merged(works.flatMap(({ documents }) => documents))).values();
  const keys = works.map((work) => {
    const records = work.documents.flatMap(() => merged.next().value?.records ?? []);
    return [...new Set([...work.keys, ...records.flatMap(identifierKeysOf)])];
  });
  const lists = await view.citing(keys);
  return lists.map((list, at) => {
    const own = works[at]?.documents.filter((document) => list.includes(document)) ?? [];
    return own.length === 0 ? list : list.filter((document) => !own.includes(document));
  });
}

/** Returns what each document cites. */
export async function citedOf(
  documents: readonly DocumentNumber[],
  view: Pick<IndexView, 'references' | 'withKeys'>,
): Promise<CitedWorks[]> {
  const references = await view.references(documents);
  const found = (await view.withKeys(references.flatMap(({ works }) => works))).values();
  return references.map(({ works, count }, at) => {
    const own = documents[at];
    const resolved = works.map((keys) => ({ keys, found: found.next().value ?? [] }));
    const all = resolved.flatMap((work) => work.found).filter((document) => document !== own);
    const absent = resolved.slice(0, count).filter((work) => work.found.length === 0);
    return {
      documents: [...new Set(all)],
      absent: absent.map(({ keys }) => citedWorkOf(keys)),
    };
  });
}
