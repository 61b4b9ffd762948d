/** The formats in which papers are returned, by their media types. Pure. */

import { describePapers } from './describe-paper.ts';
import type { FoundPapers } from './find-papers.ts';
import type { Paper } from './paper.ts';
import { papersToBibtex } from './write-bibtex.ts';
import { papersToCsl } from './write-csl-json.ts';
import { papersToRis } from './write-ris.ts';

export const paperFormats = ['json', 'bibtex', 'ris', 'csl-json'] as const;

export type PaperFormat = (typeof paperFormats)[number];

/** The media types, which are those of doi.org's content negotiation. JSON is the default. */
export const mediaTypes: Readonly<Record<PaperFormat, string>> = {
  json: 'application/json',
  bibtex: 'application/x-bibtex',
  ris: 'application/x-research-info-systems',
  'csl-json': 'application/vnd.citationstyles.csl+json',
};

/** Writes papers. In a bibliography a paper is once, also if it was asked for by two ids. */
export function writePapers(found: FoundPapers, format: PaperFormat): string {
  if (format === 'json') return JSON.stringify(describePapers(found));
  const papers = new Map<string, Paper>(found.found.map(({ paper }) => [paper.id, paper]));
  const distinct = [...papers.values()];
  if (format === 'bibtex') return papersToBibtex(distinct);
  return format === 'ris' ? papersToRis(distinct) : JSON.stringify(papersToCsl(distinct));
}
