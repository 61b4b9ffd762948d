/** Identifiers in the text of a printed reference. Pure. */
import {
  identifiersInId,
  identifiersOf,
  type Scheme,
  schemes,
  type WrittenIdentifiers,
} from '../../../identity/identifiers.ts';
import type { Identifiers } from '../../../types.ts';
import type { PlacedReference } from './split-references.ts';

const DOI = /\b10\.\d{4,9}(?:\.\d{1,9}){0,4}(?:\/|%2f)[^\s"<>“”]{1,500}/i;
/** How each scheme is written, its value last. */
const PATTERNS: Readonly<Record<Scheme, readonly RegExp[]>> = {
  doi: [DOI],
  arxiv: [
    /\barxiv\.org\/(?:abs|pdf|html|format)\/([a-z.-]{0,20}\/?\d[\d.]{3,12}(?:v\d{1,3})?)/i,
    /\barxiv(?:\s+(?:e-?prints?|preprints?))?(?:\s+arxiv)?[\s:.]{0,3}([a-z.-]{2,20}\/\d{7}|\d{4}\.\d{4,5})(?!\d)/i,
    /\babs\/([a-z.-]{2,20}\/\d{7}|\d{4}\.\d{4,5})(?!\d)/i,
  ],
  pmid: [
    /\bPMID:?\s{0,3}(\d{1,10})\b/i,
    /\b(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov\/pubmed)\/(\d{1,10})\b/i,
  ],
  pmcid: [/\b(PMC\d{1,10})\b/i],
  acl: [
    /\baclanthology\.(?:org|info)\/(?:papers\/|anthology\/|volumes\/)?([a-z]\d{2}-\d{4,5}|\d{4}\.\w{1,30}-\w{1,30}\.\d{1,5})(?!\d)/i,
    /\bACL:\s{0,3}([a-z]\d{2}-\d{4,5}|\d{4}\.\w{1,30}-\w{1,30}\.\d{1,5})(?!\d)/i,
  ],
  openalex: [/\bopenalex(?:\.org\/(?:works\/)?|:\s{0,3})(W\d{1,12})\b/i],
  s2: [/\bCorpus_?ID:?\s{0,3}(\d{1,15})\b/i],
};
/** Addresses and identifiers, which are no words of a title, venue, or name. */
const NO_WORDS =
  /\bhttps?:\s?\/\/\S{1,2000}|\bwww\.\S{1,2000}|(?:\bdoi:?\s{0,3}){0,2}(?:\b(?:dx\.)?doi\.org\/)?\b10\.\d{4,9}(?:\.\d{1,9}){0,4}\/\S{1,500}|\barxiv:\s{0,3}\S{1,40}|\barxiv\s\d{4}\.\d{4,5}\S{0,3}|\babs\/\d{4}\.\d{4,5}\S{0,3}|\bPMC?ID:?\s{0,3}(?:PMC)?\d{1,10}|\b(?:corpus_?id|openalex|ACL):\s{0,3}\S{1,30}|\bPMC\d{1,10}\b|\[[a-z]{2,8}(?:-[a-z]{2})?\.[a-z]{2,3}\]/gi;

export interface IdentifiedText {
  identifiers: Identifiers;
  /** The text without identifiers and addresses. */
  words: string;
}

/** Takes the identifiers out of a text in one line. Of one scheme, the first counts. */
export function takeIdentifiers(text: string): IdentifiedText {
  // Text without white space may be an identifier in any spelling.
  const bare = /^\S+$/.test(text) ? identifiersInId(text) : {};
  if (Object.keys(bare).length > 0) return { identifiers: bare, words: '' };
  const written: WrittenIdentifiers = {};
  for (const scheme of schemes) {
    for (const pattern of PATTERNS[scheme]) {
      const found = pattern.exec(text);
      if (found !== null) written[scheme] ??= found[1] ?? found[0];
    }
  }
  const words = text
    .replace(NO_WORDS, (found) => ` ${/[.,;)]$/.exec(found) ?? ''}`)
    .replace(/\s+(?=[.,;)\s])/g, '')
    .trim();
  return { identifiers: identifiersOf(written), words };
}

/** The identifiers in prose that name papers, each with its place. */
export function placedIdentifiers(text: string): PlacedReference[] {
  return [...text.matchAll(NO_WORDS)].flatMap(({ 0: found, index: start }) => {
    const own = found.replace(/[.,;:)\]}*_]+$/, '');
    const isKnown = Object.keys(takeIdentifiers(own).identifiers).length > 0;
    return isKnown ? [{ text: own, start, end: start + own.length }] : [];
  });
}
