/**
 * References as they are printed in a bibliography. Styles differ, so a text gets several readings,
 * and the index tells which of them is right. Pure.
 */
import { identifiersOf } from '../../identity/identifiers.ts';
import type { Identifiers } from '../../types.ts';
import {
  type Correction,
  type ReadReference,
  type Reference,
  UnreadableReference,
} from './reference.ts';

/** Sentences of a reference that are tried as its title. */
const READINGS_MAX = 6;
const WORDS_MIN = 3;
const QUOTED = /[“"„«]\s*([^“”"„«»]{12,}?)[,.]?\s*[”"“»]/u;
const YEAR = /(?<![\d./-])((?:1[6-9]|20)\d\d)[a-z]?(?![\d/-])/g;
const IN_BRACKETS = /\(((?:1[6-9]|20)\d\d)[a-z]?(?:[,)])/;
const ET_AL = /,?\s*\b(?:et\s+al|and\s+others)\b\.?/i;
/** What follows "Berg A, Dahl BC, et al." */
const VANCOUVER =
  /^(?:\p{Lu}[\p{L}'’ -]*\s\p{Lu}{1,3},\s)*(?:et al|\p{Lu}[\p{L}'’ -]*\s\p{Lu}{1,3})\.\s+(.+)$/u;
const INITIALS = String.raw`(?:\p{Lu}\p{Ll}?\.[\s-]?)+`;

/** Throws UnreadableReference for a text without words. */
export function readPrintedReference(text: string): ReadReference {
  const plain = text
    .replace(/\s+/g, ' ')
    .replace(/^\s*(?:\[\w+\]|\(?\d{1,3}[.)])\s+/, '')
    .trim();
  if ((plain.match(/\p{L}{2,}/gu) ?? []).length < WORDS_MIN) {
    throw new UnreadableReference('it has too few words for a reference');
  }
  const identifiers = identifiersIn(plain);
  const bare = plain
    .replace(/https?:\/\/\S+|\bdoi:?\s*\S+|\b10\.\d{4,9}\/\S+|\barXiv:\s*\S+/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const readings = titlesIn(bare).map((title) => readingOf(bare, { title, identifiers }));
  return { format: 'text', readings, write: (correction) => printed(readings[0], correction) };
}

function identifiersIn(text: string): Identifiers {
  const [doi] = /\b10\.\d{4,9}\/[^\s"<>]+/.exec(text) ?? [];
  const [, arxiv] = /\barxiv(?:\.org\/(?:abs|pdf)\/|:?\s*)([\w.-]+(?:\/\d{7})?)/i.exec(text) ?? [];
  const [, pmid] = /\bPMID:?\s*(\d+)/i.exec(text) ?? [];
  const [pmcid] = /\bPMC\d+/.exec(text) ?? [];
  return identifiersOf({ doi, arxiv, pmid, pmcid });
}

/** What may be the title, the likeliest first. */
function titlesIn(text: string): string[] {
  const quoted = QUOTED.exec(text)?.[1];
  const afterYear = /\((?:1[6-9]|20)\d\d[a-z]?(?:,[^)]*)?\)[.,:]?\s*(.+)$/.exec(text)?.[1];
  const afterInitials = VANCOUVER.exec(text)?.[1];
  const sentences = sentencesOf(text);
  const titles = [
    ...(quoted === undefined ? [] : [quoted]),
    ...(afterYear === undefined ? [] : sentencesOf(afterYear).slice(0, 2)),
    ...(afterInitials === undefined ? [] : sentencesOf(afterInitials).slice(0, 1)),
    ...sentences.slice(1),
    ...sentences.slice(0, 1),
  ].map((title) => title.replace(/^[\s.,:;]+|(?<![\s.,:;])[\s.,:;]+$/g, ''));
  const long = titles.filter((title) => (title.match(/[\p{L}\p{N}]+/gu) ?? []).length >= WORDS_MIN);
  const all = long.length > 0 ? long : titles.filter((title) => title !== '');
  return [...new Set(all)].slice(0, READINGS_MAX);
}

/** Cuts after periods and question marks that do not follow an initial. */
function sentencesOf(text: string): string[] {
  return text.split(
    /(?<=\p{L}{2}[”")]?[.?!][”"]?|\d[.)]|[”"],?)\s+(?=[\p{L}“"(]|(?:1[6-9]|20)\d\d)/u,
  );
}

function readingOf(
  text: string,
  { title, identifiers }: { title: string; identifiers: Identifiers },
): Reference {
  const at = text.indexOf(title);
  const before = text.slice(0, at);
  const after = text.slice(at + title.length).replace(/^[”".,?!\s]+/u, '');
  const years = [...text.matchAll(YEAR)].map(([, year]) => Number(year));
  const bracketed = Number(IN_BRACKETS.exec(text)?.[1] ?? 0);
  return {
    title,
    authors: namesIn(before),
    hasMoreAuthors: ET_AL.test(before),
    year: bracketed || (years.at(-1) ?? 0),
    venue: venueIn(after),
    identifiers,
  };
}

/** The names before the title: "Berg, A., & Dahl, B. C." or "A. Berg, B. C. Dahl, and Eva Falk". */
function namesIn(text: string): string[] {
  const list = text
    .replace(ET_AL, '')
    .replace(/\(?\b(?:1[6-9]|20)\d\d[a-z]?\)?.*$/, '')
    .replace(/(?<![“"(\s.,:])[“"(\s.,:]+$/u, (end) => (end.startsWith('.') ? '.' : ''))
    .trim();
  if (list === '') return [];
  const inverted = new RegExp(
    String.raw`(?:^|[,;&]\s*|\band\s+)((?:[\p{L}'’-]+\s){0,3}[\p{L}'’-]{2,}),\s*(${INITIALS}|\p{Lu}[\p{L}-]+(?:\s${INITIALS})?)(?=\s*(?:[,;&]|and\b|$))`,
    'gu',
  );
  const names = [...list.matchAll(inverted)].map(
    ([, family, given]) => `${given?.trim()} ${family}`,
  );
  if (names.length > 0 && isMostly(names, list)) return names;
  return list
    .split(/\s*(?:[;&]|,\s*and\b|\band\b|,)\s*/)
    .map((name) => name.replace(/^\s*&?\s*/, '').trim())
    .filter((name) => /\p{L}{2}/u.test(name));
}

function isMostly(names: readonly string[], list: string): boolean {
  const letters = (text: string): number => (text.match(/\p{L}/gu) ?? []).length;
  return letters(names.join('')) * 2 >= letters(list);
}

/** The text after the title up to volume, pages, and year. */
function venueIn(text: string): string {
  const [venue = ''] = text
    .replace(/^in:?\s+/i, '')
    .split(/,?\s+(?:vol\.?|pp?\.|pages|no\.)\s|[,.;(]\s*\d|\s+\d+\s*[(:,]|,\s/u, 1);
  return venue
    .replace(/(?<![\s.,;:(])[\s.,;:(]+$/, '')
    .replace(/(?:^|\s+)(?:1[6-9]|20)\d\d[a-z]?$/, '')
    .trim();
}

function printed(reading: Reference | undefined, correction: Correction): string {
  const { title = '', authors = [], year = 0, venue = '' } = { ...reading, ...correction };
  const { doi } = correction.identifiers ?? reading?.identifiers ?? {};
  const names = authors.join(', ');
  const dated = (text: string): string => (year === 0 ? text : `${text} (${year})`);
  const parts = [
    ...(names === '' ? [dated(title)] : [dated(names), title]),
    venue,
    ...(doi === undefined ? [] : [`https://doi.org/${doi}`]),
  ];
  return parts.filter((part) => part !== '').join('. ');
}
