/** Papers as BibTeX. Pure. */
import { paperAddress } from '../../identity/paper-address.ts';
import { type Kind, kindOf } from './kind.ts';
import type { Paper } from './paper.ts';
import { splitName } from './person-name.ts';

export interface BibtexEntry {
  type: string;
  key: string;
  /** Values are TeX. */
  fields: ReadonlyMap<string, string>;
}

const types: Readonly<Record<Kind, string>> = {
  article: 'article',
  conference: 'inproceedings',
  preprint: 'misc',
  unknown: 'misc',
  book: 'book',
  chapter: 'incollection',
  dissertation: 'phdthesis',
  report: 'techreport',
  dataset: 'misc',
};

/** What TeX would not print as it is. Braces stay in pairs, because BibTeX counts them. */
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\textbraceleft{}',
  '}': '\\textbraceright{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
};

/** Marks that change the direction of what follows, also of other entries. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Without the letter that makes a key differ from others. */
const KEY_CHARACTERS_MAX = 60;

/** Writes papers as entries with a key of their own each, such as `berg2020tides`. */
export function papersToBibtex(papers: readonly Paper[]): string {
  const taken = new Set<string>();
  return papers
    .map((paper) => {
      const key = freeKey(keyOf(paper), taken);
      taken.add(key);
      return `${writeBibtex({ type: types[kindOf(paper)], key, fields: fieldsOf(paper) })}\n`;
    })
    .join('\n');
}

/** Writes an entry with one field a line. */
export function writeBibtex({ type, key, fields }: BibtexEntry): string {
  const lines = [...fields].map(([name, value]) => `  ${name} = {${value}},\n`);
  return `@${type}{${key},\n${lines.join('')}}`;
}

/** Returns TeX that prints the text, without marks of direction. */
export function escapeTex(text: string): string {
  return text
    .replace(DIRECTIONS, '')
    .replace(/[{}\\~^]/g, (character) => ESCAPES[character] ?? character)
    .replace(/[&%#_$]/g, '\\$&');
}

function fieldsOf(paper: Paper): Map<string, string> {
  const { id, title, abstract, year, authors, venue, identifiers } = paper;
  const kind = kindOf(paper);
  const { doi = '', arxiv = '', pmid = '', pmcid = '' } = identifiers;
  const venueField = {
    article: 'journal',
    conference: 'booktitle',
    chapter: 'booktitle',
    dissertation: 'school',
    report: 'institution',
  }[kind as string];
  const fields: [name: string, value: string][] = [
    ['title', title.split(/\s+/).map(protectCapitals).join(' ')],
    ['author', authors.map(nameToTex).join(' and ')],
    ['year', year === 0 ? '' : String(year)],
    [venueField ?? 'howpublished', escapeTex(onOneLine(venue))],
    ['doi', verbatimTex(doi)],
    ['eprint', arxiv],
    ['archiveprefix', arxiv === '' ? '' : 'arXiv'],
    ['pmid', pmid],
    ['pmcid', pmcid],
    ['url', verbatimTex(paperAddress(id) ?? '')],
    ['abstract', escapeTex(abstract)],
  ];
  return new Map(fields.filter(([, value]) => value !== ''));
}

/** Styles of BibTeX write titles in small letters. Braces keep a word such as "DNA". */
function protectCapitals(word: string): string {
  const tex = escapeTex(word);
  return /.\p{Lu}/u.test(word) ? `{${tex}}` : tex;
}

/** "Berg, Anna". A name without a given name is a group's and stays whole in braces. */
function nameToTex(name: string): string {
  const { family, given, suffix } = splitName(name);
  const parts = [family, suffix, given].filter((part) => part !== '').map(escapeTex);
  return parts.length === 1 && / /.test(family) ? `{${parts.join('')}}` : parts.join(', ');
}

/**
 * Returns the value of a field that biblatex reads as it is, without TeX: an address or a DOI. What
 * would end the value is percent-encoded.
 */
export function verbatimTex(text: string): string {
  return text.replace(DIRECTIONS, '').replace(/[{}\\^]/g, encodeURIComponent);
}

function keyOf({ authors, year, title }: Paper): string {
  const [first = ''] = authors;
  const word = title.split(/\s+/).map(toAscii).find(isDistinctive) ?? '';
  const key = `${toAscii(splitName(first).family)}${year === 0 ? '' : year}${word}`;
  return key === '' ? 'paper' : key.slice(0, KEY_CHARACTERS_MAX);
}

function isDistinctive(word: string): boolean {
  return (
    word.length > 3 && !/^(?:with|from|into|this|that|what|when|does|toward|towards)$/.test(word)
  );
}

function toAscii(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}

/** The key, or the key with the first letter that makes it differ from the others. */
function freeKey(key: string, taken: ReadonlySet<string>): string {
  if (!taken.has(key)) return key;
  let at = 0;
  while (taken.has(`${key}${letterOf(at)}`)) at++;
  return `${key}${letterOf(at)}`;
}

function letterOf(at: number): string {
  return String.fromCharCode('b'.charCodeAt(0) + at);
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
