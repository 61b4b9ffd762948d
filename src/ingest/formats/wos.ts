/**
 * Web of Science's tagged text, its "Plain Text File" (Field Tags of its help): `PT J` to `ER`, tags
 * of two characters, and lines that go on indented by three blanks.
 */

import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import { withheldByPublicationTypes } from '../../identity/withheld.ts';
import { readTaggedRecords, type TaggedFields } from '../plain-text/tagged-records.ts';
import type { Entry, Format } from '../read/format.ts';

const TAG = /^([A-Z][A-Z0-9])(?: (.*)|\s*)$/;

/** Titles of what was taken back end so: "(Retracted article. See vol. 3, pg. 1, 2010)". */
const RETRACTION_MARK = /\s*\(retracted (?:article|paper)\. see [^()]*\)$/i;

export const wosFormat: Format = {
  name: 'wos',
  description: "Web of Science's tagged text (plain text file)",
  recognises: ({ lines }) =>
    /^FN \S/.test(lines[0] ?? '') ||
    (lines.some((line) => /^PT [JBSP]\s*$/.test(line)) &&
      lines.some((line) => /^UT \S/.test(line))),
  async *entries(source, limits) {
    const options = { tag: TAG, first: 'PT', last: 'ER', lists: ['AU', 'AF', 'CA'], ...limits };
    for await (const record of readTaggedRecords(source.chunks(), options)) {
      if ('problem' in record) yield record;
      else yield readRecord(record.line, record.fields);
    }
  },
};

function readRecord(line: number, fields: TaggedFields): Entry {
  const all = (...tags: string[]): string[] =>
    tags.flatMap((tag) => fields.get(tag) ?? []).filter((value) => value !== '');
  const first = (...tags: string[]): string => all(...tags)[0] ?? '';
  if (first('PT') === 'P')
    return { line, problem: 'not a paper but a patent', reason: 'not_a_paper' };
  const identifiers = identifiersOf({
    doi: first('DI', 'D2'),
    pmid: first('PM'),
    // arXiv's number is the article's number in the preprint index.
    arxiv: all('AR').find((value) => /^arxiv:/i.test(value)),
  });
  const title = first('TI').replace(RETRACTION_MARK, '');
  const types = all('DT').flatMap((types) => types.split(/;\s*/));
  const withheld = title !== first('TI') ? 'retracted' : withheldByPublicationTypes(types);
  const document = {
    id: documentIdOf(identifiers, first('UT')),
    title,
    abstract: all('AB').join('\n\n'),
    // Of early access there is only a month: "JAN 2024".
    year: Number(/\d{4}/.exec(first('PY', 'EA'))?.[0] ?? 0),
    authors: [...(all('AF').length > 0 ? all('AF') : all('AU')).map(nameOf), ...all('CA')],
    venue: first('SO', 'J9', 'JI'),
    identifiers,
    ...(withheld === undefined ? {} : { withheld }),
    updatedAt: 0,
  };
  return { line, document };
}

/** "Last, First"; a group has no comma. */
function nameOf(name: string): string {
  const [last = '', given = '', suffix = ''] = name.split(',').map((part) => part.trim());
  return [given, last, suffix].filter((part) => part !== '').join(' ');
}
