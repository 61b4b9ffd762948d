/** Papers as RIS, which reference managers import. Pure. */
import { paperAddress } from '../../identity/paper-address.ts';
import { type Kind, kindOf } from './kind.ts';
import type { Paper } from './paper.ts';
import { splitName } from './person-name.ts';

/** The values of each tag, in the order in which they are written. `TY` is the first. */
export type RisFields = ReadonlyMap<string, readonly string[]>;

const types: Readonly<Record<Kind, string>> = {
  article: 'JOUR',
  conference: 'CONF',
  preprint: 'UNPB',
  unknown: 'GEN',
  book: 'BOOK',
  chapter: 'CHAP',
  dissertation: 'THES',
  report: 'RPRT',
  dataset: 'DATA',
};

export function papersToRis(papers: readonly Paper[]): string {
  return papers.map((paper) => `${writeRis(fieldsOf(paper))}\n`).join('\n');
}

/** Writes a record. */
export function writeRis(fields: RisFields): string {
  const lines = [...fields].flatMap(([tag, values]) => values.map((value) => `${tag}  - ${value}`));
  return [...lines, 'ER  - '].join('\n');
}

/** "Berg, Anna, Jr.", or the whole name of a group. */
export function risName(name: string): string {
  const { family, given, suffix } = splitName(name);
  return [family, given, suffix].filter((part) => part !== '').join(', ');
}

function fieldsOf(paper: Paper): Map<string, string[]> {
  const { id, title, abstract, year, authors, venue, identifiers } = paper;
  const { doi = '', pmid = '', pmcid = '' } = identifiers;
  const fields: [tag: string, values: string[]][] = [
    ['TY', [types[kindOf(paper)]]],
    ['TI', [title]],
    ['AU', authors.map(risName)],
    ['PY', year === 0 ? [] : [String(year)]],
    ['T2', [venue]],
    ['AB', [abstract]],
    ['DO', [doi]],
    // Reference managers read a PMID as the accession number of this database.
    ['AN', [pmid]],
    ['DB', pmid === '' ? [] : ['PubMed']],
    ['C2', [pmcid]],
    ['UR', addressesOf(id, identifiers)],
    ['ID', [id]],
  ];
  return new Map(
    fields.map(([tag, values]) => [tag, values.map(onOneLine).filter((value) => value !== '')]),
  );
}

/** The address of the paper and that of its preprint, which is where RIS has its arXiv id. */
function addressesOf(id: string, { arxiv, acl }: Paper['identifiers']): string[] {
  const ids = [id, arxiv && `arXiv:${arxiv}`, acl && `ACL:${acl}`];
  return [...new Set(ids.map((one) => paperAddress(one ?? '') ?? ''))];
}

/** A value ends with its line. */
function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
