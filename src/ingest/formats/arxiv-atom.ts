/**
 * Feeds of arXiv's query API: Atom with one entry per paper (info.arxiv.org/help/api). Errors of the
 * API are entries too.
 */

import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import { isWithdrawnByAuthors } from '../../identity/withheld.ts';
import type { Entry, Format } from '../read/packed-format.ts';
import { aboutOf } from '../values/about.ts';
import { arxivField } from '../values/arxiv-field.ts';
import { arxivText } from '../values/arxiv-text.ts';
import { detailsOf } from '../values/details.ts';
import { childOf, childrenOf, rawTextOf, textOf, type XmlElement } from '../xml/element.ts';
import { readXmlRecords } from '../xml/read-records.ts';
import { rootOf } from '../xml/root.ts';

const OF_ARXIV = /<id>\s*https?:\/\/(?:[\w-]+\.)?arxiv\.org\//i;

export const arxivAtomFormat: Format = {
  name: 'arxiv-atom',
  description: "feeds of arXiv's query API (Atom)",
  recognizes: (head) =>
    ['feed', 'entry'].includes(rootOf(head)?.name ?? '') && OF_ARXIV.test(head.text),
  async *entries(source, limits) {
    const records = readXmlRecords(source.chunks(), {
      path: source.path,
      records: ['entry'],
      recordCharactersMax: limits.lineBytesMax,
    });
    for await (const record of records) {
      if ('problem' in record) yield record;
      else yield readEntry(record.element);
    }
  },
};

function readEntry(entry: XmlElement): Entry {
  const { line } = entry;
  const text = (name: string): string => textOf(childOf(entry, name));
  if (/\/api\/errors/.test(text('id'))) {
    const problem = `not a paper but an error of the interface: ${text('summary').slice(0, 200)}`;
    return { line, problem, reason: 'malformed' };
  }
  const identifiers = identifiersOf({ arxiv: text('id'), doi: text('doi') });
  const abstract = arxivText(rawTextOf(childOf(entry, 'summary')));
  const isWithdrawn = isWithdrawnByAuthors({ abstract, comments: text('comment') });
  const document = {
    id: documentIdOf(identifiers),
    title: text('title'),
    abstract,
    // The date of the first version. `updated` is that of the current one.
    year: Number(/^\d{4}/.exec(text('published'))?.[0] ?? 0),
    authors: childrenOf(entry, 'author')
      .map((author) => textOf(childOf(author, 'name')))
      .filter((name) => name !== ''),
    venue: text('journal_ref'),
    identifiers,
    ...(isWithdrawn ? { withheld: 'withdrawn' as const } : {}),
    ...detailsOf({ types: ['preprint'], openAccess: true }),
    updatedAt: Date.parse(text('updated')) || 0,
  };
  const primary = childOf(entry, 'primary_category')?.attributes['term'] ?? '';
  return { line, document, about: aboutOf([], [], [arxivField(primary)]) };
}
