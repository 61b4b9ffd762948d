/** RefWorks' tagged lines, which Chinese databases export too: `RT Journal Article`, `T1 A title`. */
import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import { type TaggedValues, taggedFormat } from '../plain-text/tagged-format.ts';
import type { EntryContent } from '../read/packed-format.ts';
import { aboutOf } from '../values/about.ts';
import { givenFirst } from '../values/author-names.ts';

const TAG = /^([A-Z][A-Z0-9]|U1\d|PMC?ID)(?: (.*)|\s*)$/s;
const FIRST = /^RT [A-Z][a-z]/;

export const refworksFormat = taggedFormat({
  name: 'refworks',
  description: "RefWorks' tagged lines",
  recognizes: ({ lines }) =>
    lines.some((line) => FIRST.test(line)) && lines.some((line) => /^(?:T1|A1) \S/.test(line)),
  tag: TAG,
  first: 'RT',
  read: readRecord,
});

function readRecord({ all, first }: TaggedValues): EntryContent {
  const links = all('LK', 'UL');
  const isFromPubmed = all('DB', 'DS', 'SF').some((value) => /pubmed|medline/i.test(value));
  const identifiers = identifiersOf({
    doi: [...all('DO', 'NO'), ...links].find((value) => identifiersOf({ doi: value }).doi),
    arxiv: links.find((link) => /\barxiv\.org\//i.test(link)),
    pmid: first('PMID') || (isFromPubmed ? first('AN') : undefined),
    pmcid: first('PMCID'),
  });
  const document = {
    id: documentIdOf(identifiers, first('ID', 'AN')),
    title: first('T1', 'OT'),
    abstract: all('AB').join('\n\n'),
    year: Number(/(?<!\d)[12]\d{3}(?!\d)/.exec(first('YR', 'FD'))?.[0] ?? 0),
    authors: all('A1')
      .flatMap((names) => names.split(/[;；]\s*/))
      .map(givenFirst)
      .filter((name) => name !== ''),
    venue: first('JF', 'T2', 'JO'),
    identifiers,
    updatedAt: 0,
  };
  return { document, about: aboutOf(all('LA'), all('RT')) };
}
