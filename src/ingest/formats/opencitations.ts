/**
 * OpenCitations' CSV: a row says that one work cites another. The rows of a citing paper that follow
 * each other are one supplement. It joins the paper by its identifiers, and waits for it if the index
 * does not have it. COCI names works by bare DOIs, POCI by bare PMIDs, and the Index by several ids with
 * their schemes. OpenCitations' own ids (OMIDs) lead to no paper.
 */
import { identifiersOf, schemes } from '../../identity/identifiers.ts';
import type { Identifiers } from '../../types.ts';
import { headerOf, readTable } from '../plain-text/table.ts';
import type { Entry, Format } from '../read/packed-format.ts';
import { createReferenceList, type ReferenceList } from '../values/cited-works.ts';

/** Columns in small letters without blanks. */
const REQUIRED = ['citing', 'cited', 'creation'];

/** Rows with the same citing paper. */
interface Run {
  /** The line of the first row. */
  line: number;
  /** As written. */
  citing: string;
  identifiers: Identifiers;
  /** The first citation. */
  name: string;
  rows: number;
  list: ReferenceList;
}

export const opencitationsFormat: Format = {
  name: 'opencitations',
  description: "OpenCitations' CSV: which papers cite which",
  recognizes: ({ text }) => {
    const { columns } = headerOf(text);
    return REQUIRED.every((name) => columns.includes(name));
  },
  async *entries(source, limits) {
    const { columns, rows } = await readTable(source, limits);
    let run: Run | undefined;
    for await (const row of rows) {
      if ('problem' in row) {
        yield row;
        continue;
      }
      const { cells, ...place } = row;
      const cell = (column: string) => (cells[columns.indexOf(column)] ?? '').trim();
      const [citing, cited] = [cell('citing'), cell('cited')];
      const [identifiers, work] = [identifiersIn(citing), identifiersIn(cited)];
      if (isEmpty(identifiers) || isEmpty(work)) {
        const which = isEmpty(identifiers) ? 'citing' : 'cited';
        const problem = `the ${which} work has no identifier but OpenCitations' own`;
        yield { ...place, problem, reason: 'without_id' };
        continue;
      }
      if (run !== undefined && run.citing !== citing) {
        yield entryOf(run);
        run = undefined;
      }
      const name = cell('oci') || `${citing} ${cited}`;
      run ??= { line: row.line, citing, identifiers, name, rows: 0, list: createReferenceList() };
      run.rows++;
      run.list.add({ identifiers: work });
    }
    if (run !== undefined) yield entryOf(run);
  },
};

/**
 * A list of the citations of one work has a single row of each paper, which must not replace the
 * paper's references from another file, so these have another name.
 */
function entryOf({ line, identifiers, name, rows, list }: Run): Entry {
  const cites = {
    name: `opencitations:${name}${rows > 1 ? '+' : ''}`,
    references: list.found().references ?? [],
  };
  return { line, supplement: { identifiers, abstract: '', cites } };
}

/** Of several ids of a scheme, the first. */
function identifiersIn(cell: string): Identifiers {
  const found: Identifiers = {};
  for (const id of cell.split(/\s+/).toReversed()) {
    const named = schemes.find((scheme) => id.toLowerCase().startsWith(`${scheme}:`));
    const scheme = named ?? (/^\d+$/.test(id) ? 'pmid' : 'doi');
    Object.assign(found, identifiersOf({ [scheme]: id }));
  }
  return found;
}

function isEmpty(identifiers: Identifiers): boolean {
  return Object.keys(identifiers).length === 0;
}
