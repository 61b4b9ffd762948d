/** BibTeX and biblatex: the `.bib` files of LaTeX, which reference managers export too. */

import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import type { SourceRecord } from '../../types.ts';
import { readBibtexEntries } from '../plain-text/bibtex-entries.ts';
import { withInherited } from '../plain-text/bibtex-inheritance.ts';
import type { Format } from '../read/packed-format.ts';
import { aboutOf } from '../values/about.ts';
import { withoutMarkup } from '../values/markup.ts';
import { loadTex, type TexBudget, texToNames, texToText } from '../values/tex.ts';

/** Types of entries that are volumes, not the papers in them. */
export const bibtexVolumes = ['proceedings', 'collection', 'periodical', 'set', 'xdata'];

const START = /^\s*@\s*[a-z]+\s*[{(]\s*[^\s,={}"]*\s*(?:,|=|$)/i;

export const bibtexFormat: Format = {
  name: 'bibtex',
  description: 'BibTeX or biblatex (.bib)',
  recognizes: ({ lines }) => lines.some((line) => START.test(line)),
  async *entries({ path, chunks }, { lineBytesMax }) {
    await loadTex();
    const entries = readBibtexEntries(chunks(), { path, lineBytesMax });
    for await (const entry of withInherited(entries)) {
      const { line } = entry;
      if ('problem' in entry) yield entry;
      else if (bibtexVolumes.includes(entry.type)) {
        yield { line, problem: `@${entry.type} is not a paper`, reason: 'not_a_paper' };
      } else {
        const { fields, type } = entry;
        const languages = [fields.get('langid') ?? fields.get('language')];
        yield { line, document: readBibtexEntry(entry), about: aboutOf(languages, [type]) };
      }
    }
  },
};

/** The record of an entry. `loadTex` must be awaited before. The budget is for all of its fields. */
export function readBibtexEntry(
  { key, fields }: { key: string; fields: ReadonlyMap<string, string> },
  budget?: TexBudget,
): SourceRecord {
  const raw = (...names: string[]): string =>
    names.map((name) => fields.get(name)?.trim() ?? '').find((value) => value !== '') ?? '';
  // Reference managers put HTML and its entities among TeX.
  const text = (...names: string[]): string => withoutMarkup(texToText(raw(...names), budget));
  const line = (...names: string[]): string => asLine(text(...names));
  const identifiers = identifiersIn(raw);
  return {
    id: documentIdOf(identifiers, key),
    title: titleOf(line),
    abstract: asParagraphs(text('abstract')),
    year: [raw('year'), raw('date')].map(firstYear).find((year) => year > 0) ?? 0,
    authors: texToNames(asLine(raw('author')), budget).map(withoutMarkup),
    venue: line('journal', 'journaltitle', 'booktitle'),
    identifiers,
    updatedAt: 0,
  };
}

function identifiersIn(raw: (...names: string[]) => string): SourceRecord['identifiers'] {
  const plain = (...names: string[]): string =>
    raw(...names)
      .replace(/\\([_%&#])/g, '$1')
      .replace(/[{}]/g, '');
  const url = plain('url', 'howpublished').replace(/^\\url\s*/, '');
  const isArxiv = /^arxiv$/i.test(raw('archiveprefix', 'eprinttype'));
  const eprint = plain('eprint');
  const [inJournal = ''] = /\barxiv:\s*[\w./-]+/i.exec(plain('journal', 'note')) ?? [];
  return identifiersOf({
    doi: plain('doi') || url,
    arxiv: isArxiv ? eprint : /\barxiv\.org\//i.test(url) ? url : inJournal,
    pmid: plain('pmid') || (/^pubmed$/i.test(raw('eprinttype')) ? eprint : ''),
    pmcid: plain('pmcid'),
    acl: /\baclanthology\.org\//i.test(url) ? url : '',
  });
}

/** biblatex keeps a subtitle apart. */
function titleOf(line: (...names: string[]) => string): string {
  const [title, subtitle] = [line('title'), line('subtitle')];
  if (subtitle === '') return title;
  return /[.?!:]$/.test(title) ? `${title} ${subtitle}` : `${title}: ${subtitle}`;
}

/** "2001", "c2001", "2020-05-01/2021"; 0 for "in press". */
function firstYear(text: string): number {
  return Number(/(?<!\d)\d{4}(?!\d)/.exec(text)?.[0] ?? 0);
}

function asLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function asParagraphs(text: string): string {
  const paragraphs = text.split(/\n\s*\n/).map(asLine);
  return paragraphs.filter((paragraph) => paragraph !== '').join('\n\n');
}
