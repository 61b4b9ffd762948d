/**
 * Web of Science's tagged text, its "Plain Text File" (see Field Tags in its help): `PT J` to `ER`,
 * tags of two characters, and continuation lines indented by three blanks.
 */

import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import { readTaggedRecords, type TaggedFields } from '../plain-text/tagged-records.ts';
import type { Entry, Format } from '../read/packed-format.ts';
import { aboutOf } from '../values/about.ts';
import { givenFirst } from '../values/author-names.ts';
import { detailsOf } from '../values/details.ts';
import { wosTitle } from '../values/wos-title.ts';

const TAG = /^([A-Z][A-Z0-9])(?: (.*)|\s*)$/s;

export const wosFormat: Format = {
  name: 'wos',
  description: "Web of Science's tagged text (plain text file)",
  recognizes: ({ lines }) =>
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
    // In the preprint index, the article number is the arXiv id.
    arxiv: all('AR').find((value) => /^arxiv:/i.test(value)),
  });
  const document = {
    id: documentIdOf(identifiers, first('UT')),
    ...wosTitle(first('TI'), all('DT')),
    abstract: all('AB').join('\n\n'),
    // Early access has only a month: "JAN 2024".
    year: Number(/\d{4}/.exec(first('PY', 'EA'))?.[0] ?? 0),
    authors: [...names(all('AF').length > 0 ? all('AF') : all('AU')), ...all('CA')],
    venue: first('SO', 'J9', 'JI'),
    identifiers,
    ...detailsOf({
      types: all('DT').flatMap((types) => types.split(/;\s*/)),
      citationCount: first('Z9', 'TC'),
    }),
    updatedAt: 0,
  };
  // `SC` has research areas, which are wider than the categories in `WC`.
  return { line, document, about: aboutOf(all('LA'), all('DT'), all('SC')) };
}

/** One name per line. Other programs write all names in one line, separated by semicolons. */
function names(values: readonly string[]): string[] {
  return values
    .flatMap((value) => value.split(/;\s+/).map(givenFirst))
    .filter((name) => name !== '');
}
