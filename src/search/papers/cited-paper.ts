/** The paper of a search result that includes what bibliographies need. Pure. */
import type { Citation, ResultExtra } from '../../types.ts';
import type { Paper } from './paper.ts';
import { papersToBibtex } from './write-bibtex.ts';
import { papersToCsl } from './write-csl-json.ts';
import { papersToRis } from './write-ris.ts';

/** What a search must include, besides abstracts. */
export const bibliographicExtras: readonly ResultExtra[] = [
  ...(['citation', 'venue', 'authors', 'identifiers', 'type'] as const),
];

/** A result in the formats of bibliographies. */
export interface WrittenCitation {
  bibtex: string;
  ris: string;
  csl: string;
}

export function writeCitation(citation: Citation): WrittenCitation {
  const papers = [paperOf(citation)];
  return {
    bibtex: papersToBibtex(papers),
    ris: papersToRis(papers),
    csl: `${JSON.stringify(papersToCsl(papers), null, 2)}\n`,
  };
}

function paperOf({ d, t, y, a, ab = '', ...extras }: Citation): Paper {
  const { venue = '', authors = a, identifiers = {}, type } = extras;
  return {
    id: d,
    title: t,
    abstract: ab,
    year: y,
    authors,
    venue,
    identifiers,
    details: type === undefined ? {} : { type },
    withheld: undefined,
    notices: [],
  };
}
