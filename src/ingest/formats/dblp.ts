/**
 * DBLP's XML: the whole bibliography or a person's part of it (dblp.org/faq). It has no abstracts.
 * Letters are named as in HTML, which its document type declares; that is not read.
 */

import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import type { Entry, Format } from '../read/format.ts';
import { childOf, childrenOf, textOf, type XmlElement } from '../xml/element.ts';
import { readXmlRecords } from '../xml/read-records.ts';
import { rootOf } from '../xml/root.ts';

const PAPERS = ['article', 'inproceedings', 'incollection', 'book', 'phdthesis', 'mastersthesis'];
/** Volumes, home pages, and data. */
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
    // Each title ends with a full stop that is DBLP's own.
    title: text('title').replace(/(?<!\.)\.$/, ''),
    abstract: '',
    year: Number(/\d{4}/.exec(text('year'))?.[0] ?? 0),
    authors: childrenOf(entry, 'author')
      // A number tells persons of one name apart: "Anna Berg 0002".
      .map((author) => textOf(author).replace(/ \d{4}$/, ''))
      .filter((author) => author !== ''),
    venue: text('journal') || text('booktitle') || text('school'),
    identifiers,
    ...(isWithdrawn ? { withheld: 'withdrawn' as const } : {}),
    updatedAt: Date.parse(attributes['mdate'] ?? '') || 0,
  };
  return { line, document };
}
