/**
 * EndNote's XML export, which other reference managers write too: `<xml><records><record>`, with
 * texts in `<style>` elements.
 */

import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import type { Format } from '../read/packed-format.ts';
import { aboutOf } from '../values/about.ts';
import { givenFirst } from '../values/author-names.ts';
import { detailsOf } from '../values/details.ts';
import { childOf, childrenOf, rawTextOf, textOf, type XmlElement } from '../xml/element.ts';
import { readXmlRecords } from '../xml/read-records.ts';
import { rootOf } from '../xml/root.ts';

export const endnoteXmlFormat: Format = {
  name: 'endnote-xml',
  description: "EndNote's XML export",
  recognizes: (head) =>
    ['xml', 'records'].includes(rootOf(head)?.name ?? '') &&
    /<record>|<record\s/.test(head.text) &&
    /<(?:ref-type|rec-number|source-app|contributors|titles)\b/.test(head.text),
  async *entries(source, limits) {
    const records = readXmlRecords(source.chunks(), {
      path: source.path,
      records: ['record'],
      recordCharactersMax: limits.lineBytesMax,
    });
    for await (const record of records) {
      if ('problem' in record) yield record;
      else {
        const { line, element } = record;
        const about = aboutOf([textOf(childOf(element, 'language'))], []);
        yield { line, document: readRecord(element), about };
      }
    }
  },
};

function readRecord(record: XmlElement) {
  const text = (...path: string[]): string => textOf(childOf(record, ...path));
  const addresses = childrenOf(childOf(record, 'urls', 'related-urls'), 'url').map((url) =>
    textOf(url),
  );
  const database = `${text('remote-database-name')} ${text('remote-database-provider')}`;
  const isFromPubmed = /pubmed|medline|\bnlm\b/i.test(database);
  const identifiers = identifiersOf({
    doi: [text('electronic-resource-num'), ...addresses].find(
      (value) => identifiersOf({ doi: value }).doi !== undefined,
    ),
    arxiv: addresses.find((address) => /\barxiv\.org\//i.test(address)),
    pmid: isFromPubmed ? text('accession-num') : undefined,
    pmcid: /^PMC\d+$/i.test(text('custom2')) ? text('custom2') : undefined,
  });
  const title = text('titles', 'title');
  return {
    id: documentIdOf(identifiers),
    title,
    abstract: abstractOf(childOf(record, 'abstract')),
    year: Number(/\d{4}/.exec(text('dates', 'year'))?.[0] ?? 0),
    authors: childrenOf(childOf(record, 'contributors', 'authors'), 'author')
      .map((author) => givenFirst(textOf(author)))
      .filter((name) => name !== ''),
    venue:
      text('titles', 'secondary-title') || text('periodical', 'full-title') || text('publisher'),
    identifiers,
    ...detailsOf({ types: [childOf(record, 'ref-type')?.attributes['name'] ?? ''] }),
    updatedAt: 0,
  };
}

/** Line breaks end paragraphs, because EndNote does not wrap lines. */
function abstractOf(abstract: XmlElement | undefined): string {
  return rawTextOf(abstract)
    .split(/\r\n?|\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');
}
