/** Papers as CSL-JSON, which pandoc and reference managers read (citationstyles.org). Pure. */
import { paperAddress } from '../../identity/paper-address.ts';
import { type Kind, kindOf } from './kind.ts';
import type { Paper } from './paper.ts';
import { splitName } from './person-name.ts';

type Item = Record<string, unknown>;

/** Since CSL 1.0.2, `article` is a preprint. */
const types: Readonly<Record<Kind, string>> = {
  article: 'article-journal',
  conference: 'paper-conference',
  preprint: 'article',
  unknown: 'document',
  book: 'book',
  chapter: 'chapter',
  dissertation: 'thesis',
  report: 'report',
  dataset: 'dataset',
};

/** Returns the items as values for JSON. Unknown fields are absent. */
export function papersToCsl(papers: readonly Paper[]): Item[] {
  return papers.map((paper) => {
    const { id, title, abstract, year, authors, venue, identifiers } = paper;
    const { doi, arxiv, pmid, pmcid } = identifiers;
    const fields: Item = {
      id,
      type: types[kindOf(paper)],
      title,
      author: authors.length === 0 ? undefined : authors.map(cslName),
      issued: year === 0 ? undefined : { 'date-parts': [[year]] },
      'container-title': venue || undefined,
      abstract: abstract || undefined,
      DOI: doi,
      PMID: pmid,
      PMCID: pmcid,
      archive: arxiv === undefined ? undefined : 'arXiv',
      archive_location: arxiv,
      URL: paperAddress(id),
    };
    return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  });
}

/** The name of a person in parts, or that of a group as `literal`. */
export function cslName(name: string): Item {
  const { family, given, suffix } = splitName(name);
  if (given === '') return { literal: family };
  return suffix === '' ? { given, family } : { given, family, suffix };
}
