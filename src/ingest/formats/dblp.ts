/**
 * DBLP's XML: the whole bibliography or one person's (dblp.org/faq). It has no abstracts. Its
 * document type, which is not read, declares HTML's named characters.
 */

import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import type { Entry, Format } from '../read/packed-format.ts';
import { detailsOf } from '../values/details.ts';
import { childOf, childrenOf, textOf, type XmlElement } from '../xml/element.ts';
import { readXmlRecords } from '../xml/read-records.ts';
import { rootOf } from '../xml/root.ts';

const PAPERS = ['article', 'inproceedings', 'incollection', 'book', 'phdthesis', 'mastersthesis'];
/** Volumes, home pages, and data sets. */
const NOT_PAPERS = ['proceedings', 'www', 'data'];

export const dblpFormat: Format = {
  name: 'dblp',
  description: "DBLP's XML (without abstracts)",
  recognizes: (head) => ['dblp', 'dblpperson'].includes(rootOf(head)?.name ?? ''),
  async *entries(source, limits) {
    const records = readXmlRecords(source.chunks(), {
      path: source.path,
      records: [...PAPERS, ...NOT_PAPERS],
      areCharactersNamed: true,
      recordCharactersMax: limits.lineBytesMax,
    });
    for await (const record of records)
      yield 'problem' in record ? record : readEntry(record.element);
  },
};

function readEntry(entry: XmlElement): Entry {
  const { line, name, attributes } = entry;
  if (NOT_PAPERS.includes(name)) {
    return { line, problem: `<${name}> is not a paper`, reason: 'not_a_paper' };
  }
  const text = (field: string): string => textOf(childOf(entry, field));
  const addresses = childrenOf(entry, 'ee').map((address) => textOf(address));
  const identifiers = identifiersOf({
    doi: addresses.find((address) => identifiersOf({ doi: address }).doi !== undefined),
    // CoRR's volumes are arXiv ids: "abs/2401.00001".
    arxiv:
      addresses.find((address) => /\barxiv\.org\//i.test(address)) ??
      /^abs\/(.+)$/.exec(text('volume'))?.[1],
    acl: addresses.find((address) => /\baclanthology\.org\//i.test(address)),
  });
  const key = attributes['key'] ?? '';
  const isWithdrawn = /\bwithdrawn\b/.test(attributes['publtype'] ?? '');
  const document = {
    id: documentIdOf(identifiers, key === '' ? '' : `DBLP:${key}`),
    // DBLP adds a period to each title.
    title: text('title').replace(/(?<!\.)\.$/, ''),
    abstract: '',
    year: Number(/\d{4}/.exec(text('year'))?.[0] ?? 0),
    authors: childrenOf(entry, 'author')
      // A number distinguishes people with the same name: "Anna Berg 0002".
      .map((author) => textOf(author).replace(/ \d{4}$/, ''))
      .filter((author) => author !== ''),
    venue: text('journal') || text('booktitle') || text('school'),
    identifiers,
    ...(isWithdrawn ? { withheld: 'withdrawn' as const } : {}),
    ...detailsOf({
      types: [name === 'article' && text('journal') === 'CoRR' ? 'preprint' : name],
      orcids: childrenOf(entry, 'author').map((author) => author.attributes['orcid']),
    }),
    updatedAt: Date.parse(attributes['mdate'] ?? '') || 0,
  };
  return { line, document };
}
