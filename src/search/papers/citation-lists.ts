/** What papers cite and who cites them, in pages of short entries. */
import { documentIdOf } from '../../identity/identifiers.ts';
import { noticesOf, retractionOf } from '../../identity/notices.ts';
import type { Page, Position } from '../../index/citations/newest-first.ts';
import type { IndexView } from '../../index/ports/index-source.ts';
import type { Citation, CitedWork, DocumentNumber } from '../../types.ts';
import { type CitedWorks, citedOf, citingOf } from '../citation-graph.ts';
import { AUTHORS_CITED } from '../cite.ts';

export const citationListNames = ['references', 'cited_by'] as const;

export type CitationListName = (typeof citationListNames)[number];

/** Entries on a page. */
export const CITATIONS_PER_PAGE = 50;

/** A paper of the index, with the names that results have. */
type ListedPaper = Pick<Citation, 'd' | 't' | 'y' | 'a' | 'retraction'>;

/**
 * A work that no record of the index has the identifier of: its id, or the printed reference, which the
 * service adds a paper to if verification finds it.
 */
type AbsentWork = { d: string } | { text: string; verdict?: string; d?: string; t?: string };

export interface CitationList {
  /** The papers of the index, and the works that it does not have. */
  count: number;
  /** How many of them the index has. */
  indexed: number;
  /** A page of them, the newest first, and works that the index does not have last. Absent: not asked for. */
  papers?: (ListedPaper | AbsentWork)[];
  /** Where the next page begins. Absent after the last one. */
  cursor?: string;
}

export type CitationLists = Partial<Record<CitationListName, CitationList>>;

export interface ListsWanted {
  names: readonly CitationListName[];
  /** Where the page before ended. Absent: the first page. */
  after?: Position | undefined;
  /** Entries on a page. 0: only counts are wanted. */
  most: number;
}

type ListView = Pick<
  IndexView,
  ('references' | 'citing' | 'withKeys') | ('merged' | 'documents' | 'newestFirst' | 'withheld')
>;

const CURSOR = /^-?\d{1,16}$/;

/** What a text must match to be a cursor. */
export const citationCursorPattern = CURSOR.source;

/** Returns undefined for a text that is no cursor. */
export function parseCitationCursor(text: string): Position | undefined {
  return CURSOR.test(text) ? Number(text) : undefined;
}

/** Returns the wanted lists of each document. */
export async function readCitationLists(
  documents: readonly DocumentNumber[],
  { names, ...page }: ListsWanted,
  view: ListView,
): Promise<CitationLists[]> {
  const lists = documents.map((): CitationLists => ({}));
  for (const name of names) {
    const all =
      name === 'references'
        ? await citedOf(documents, view)
        : (await citingOf(documents, view)).map((citing) => ({ documents: citing, absent: [] }));
    for (const [at, works] of all.entries()) {
      const list = lists[at] as CitationLists;
      const indexed = works.documents.length;
      list[name] = { count: indexed + works.absent.length, indexed };
      if (page.most > 0) Object.assign(list[name], await readPage(works, page, view));
    }
  }
  return lists;
}

async function readPage(
  { documents, absent }: CitedWorks,
  { after, most }: Page,
  view: ListView,
): Promise<Pick<CitationList, 'papers' | 'cursor'>> {
  // One more, which tells whether there is another page.
  const placed = await view.newestFirst(documents, { after, most: most + 1 });
  const numbers = placed.slice(0, most).map(({ document }) => document);
  const listed = await describe(numbers, view);
  const entries: { position: Position; entry: ListedPaper | AbsentWork | undefined }[] = [
    ...placed.map(({ position }, at) => ({ position, entry: listed[at] })),
    // Below the positions of all papers.
    ...absent
      .map((work, at) => ({ position: -1 - at, entry: describeAbsent(work) }))
      .filter(({ position }) => after === undefined || position < after),
  ];
  const last = entries.slice(0, most).at(-1);
  return {
    papers: entries.slice(0, most).flatMap(({ entry }) => entry ?? []),
    ...(entries.length > most && last !== undefined && { cursor: String(last.position) }),
  };
}

/** Returns short entries; undefined for a document that is damaged. */
async function describe(
  numbers: readonly DocumentNumber[],
  view: ListView,
): Promise<(ListedPaper | undefined)[]> {
  const documents = await view.documents(numbers);
  const withheld = await view.withheld();
  const marked = numbers.filter((number) => withheld.has(number));
  const merged = await view.merged(marked);
  return documents.map((one, at) => {
    if (one === undefined) return undefined;
    const entry: ListedPaper = {
      d: one.id,
      t: one.title,
      y: one.year,
      a: one.authors.slice(0, AUTHORS_CITED),
    };
    const records = merged[marked.indexOf(numbers[at] as DocumentNumber)];
    const retraction = records && retractionOf(noticesOf([records]));
    if (retraction !== undefined) entry.retraction = retraction;
    return entry;
  });
}

function describeAbsent({ identifiers, text }: CitedWork): AbsentWork {
  return text === undefined ? { d: documentIdOf(identifiers) } : { text };
}
