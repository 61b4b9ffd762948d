/** RIS, which reference managers and publishers export: `TY  - JOUR` to `ER  -`. */
import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import { isAbstractPlaceholder } from '../../text/placeholders.ts';
import type { SourceRecord } from '../../types.ts';
import { readTaggedRecords, type TaggedFields } from '../plain-text/tagged-records.ts';
import type { EntryContent, Format } from '../read/packed-format.ts';
import { aboutOf } from '../values/about.ts';
import { givenFirst, initialsFirst, joinNames } from '../values/author-names.ts';
import { withoutMarkup } from '../values/markup.ts';

/** The rule is two blanks before and one after the dash, but editors remove some. */
export const RIS_TAG = /^\s{0,3}([A-Z][A-Z0-9]) {1,2}-(?: (.*)|\s*)$/s;

/** Separates addresses in a value. A semicolon may also be part of an address or DOI. */
const BETWEEN_LINKS = /\s*;\s*(?=[a-z]+:|www\.|10\.\d)|\s+/i;

export const risFormat: Format = {
  name: 'ris',
  description: 'RIS, as reference managers export it',
  recognizes: ({ lines }) => lines.some((line) => /^\s{0,3}TY {1,2}- ?[A-Z]/.test(line)),
  async *entries(source, limits) {
    const options = { tag: RIS_TAG, first: 'TY', last: 'ER', ...limits };
    for await (const record of readTaggedRecords(source.chunks(), options)) {
      if ('problem' in record) yield record;
      else {
        const { line, fields } = record;
        const about = aboutOf(fields.get('LA') ?? [], fields.get('TY') ?? []);
        yield { line, ...readRecord(fields), about };
      }
    }
  },
};

function readRecord(fields: TaggedFields): EntryContent & { document: SourceRecord } {
  const all = (...tags: string[]): string[] =>
    tags
      .flatMap((tag) => fields.get(tag) ?? [])
      .map(withoutMarkup)
      .filter((value) => value !== '');
  const first = (...tags: string[]): string => all(...tags)[0] ?? '';
  const links = all('UR', 'L1', 'L2', 'LK').flatMap((value) => value.split(BETWEEN_LINKS));
  // NLM provides PubMed.
  const isFromPubmed = all('DB', 'DP').some((value) => /pubmed|medline|^nlm$/i.test(value));
  const identifiers = identifiersOf({
    doi: [...all('DO', 'M3', 'L3'), ...links].find((value) => identifiersOf({ doi: value }).doi),
    arxiv: links.find((link) => /\barxiv\.org\//i.test(link)),
    pmid: isFromPubmed ? first('AN') : undefined,
    pmcid: all('C2').find((value) => /^PMC\d+$/i.test(value)),
    acl: links.find((link) => /\baclanthology\.org\//i.test(link)),
  });
  const names = new Map(authorTags(fields).map((tag) => [tag, all(tag).map(givenFirst)]));
  const [leading = [], others = []] = names.values();
  return {
    document: {
      id: documentIdOf(identifiers, first('ID', 'AN')),
      title: first('TI', 'T1', 'CT', 'BT'),
      abstract: abstractOf(all('AB'), all('N2')),
      year: Number(/\d{4}/.exec(first('PY', 'Y1', 'DA'))?.[0] ?? 0),
      authors: joinNames(leading.map(initialsFirst), others.map(initialsFirst)),
      venue: first('JO', 'JF', 'T2', 'JA', 'BT'),
      identifiers,
      updatedAt: 0,
    },
    firstAuthor: names.get('AU')?.[0] ?? names.get('A1')?.[0] ?? '',
  };
}

/** The tags of authors, first the one that comes first: the other may have only groups or co-authors. */
function authorTags(fields: TaggedFields): string[] {
  return [...fields.keys()].filter((tag) => tag === 'AU' || tag === 'A1');
}

/** Exports with both tags write the same text twice. */
function abstractOf(...tags: string[][]): string {
  const texts = tags.map((values) => values.filter((value) => !isAbstractPlaceholder(value)));
  return (texts.find((values) => values.length > 0) ?? []).join('\n\n');
}
