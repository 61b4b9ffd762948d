/**
 * The ACL Anthology's XML, one file a collection: `2024.acl.xml`, `P19.xml`
 * (github.com/acl-org/acl-anthology, data/xml/schema.rnc).
 */

import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import type { SourceRecord } from '../../types.ts';
import type { Entry, Format } from '../read/packed-format.ts';
import { detailsOf } from '../values/details.ts';
import { childOf, childrenOf, textOf, type XmlElement } from '../xml/element.ts';
import { readXmlRecords } from '../xml/read-records.ts';
import { rootOf } from '../xml/root.ts';

export const aclFormat: Format = {
  name: 'acl',
  description: "the ACL Anthology's XML, one file a collection",
  recognizes: (head) => {
    const root = rootOf(head);
    const isCollection = root?.name === 'collection' && /\sid\s*=/.test(root.attributes);
    return isCollection && /<volume\s[^>]*id\s*=/.test(head.text);
  },
  async *entries(source, limits) {
    const records = readXmlRecords(source.chunks(), {
      path: source.path,
      records: ['meta', 'frontmatter', 'paper'],
      recordCharactersMax: limits.lineBytesMax,
    });
    // The metadata of a volume precede its papers.
    let volume: XmlElement | undefined;
    let meta: XmlElement | undefined;
    for await (const record of records) {
      if ('problem' in record) {
        yield record;
        continue;
      }
      const { element, ancestors, line } = record;
      if (element.name === 'meta') {
        volume = ancestors.at(-1);
        meta = element;
        continue;
      }
      const isOfVolume = ancestors.at(-1) === volume;
      yield readEntry(element, { line, ancestors, meta: isOfVolume ? meta : undefined });
    }
  },
};

interface Context {
  line: number;
  ancestors: readonly XmlElement[];
  meta: XmlElement | undefined;
}

function readEntry(element: XmlElement, { line, ancestors, meta }: Context): Entry {
  const paper = element.attributes['id'] ?? '';
  if (element.name === 'frontmatter' || /^0+$/.test(paper)) {
    return { line, problem: 'the front matter of a volume', reason: 'not_a_paper' };
  }
  const idOf = (name: string): string =>
    ancestors.find((ancestor) => ancestor.name === name)?.attributes['id'] ?? '';
  const collection = idOf('collection');
  const acl = anthologyId({ collection, volume: idOf('volume'), paper });
  return { line, document: readPaper(element, { acl, collection, meta }) };
}

function readPaper(
  paper: XmlElement,
  { acl, collection, meta }: { acl: string; collection: string; meta: XmlElement | undefined },
): SourceRecord {
  const identifiers = identifiersOf({ acl, doi: textOf(childOf(paper, 'doi')) });
  const withheld =
    childOf(paper, 'retracted') !== undefined
      ? 'retracted'
      : childOf(paper, 'removed') !== undefined
        ? 'withdrawn'
        : undefined;
  return {
    id: documentIdOf(identifiers),
    title: textOf(childOf(paper, 'title')),
    abstract: textOf(childOf(paper, 'abstract')),
    year: Number(
      /^\d{4}$/.exec(textOf(childOf(meta, 'year')))?.[0] ?? yearOfCollection(collection),
    ),
    authors: childrenOf(paper, 'author')
      .map(nameOf)
      .filter((name) => name !== ''),
    venue: textOf(childOf(meta, 'journal-title') ?? childOf(meta, 'booktitle')),
    identifiers,
    ...(withheld === undefined ? {} : { withheld }),
    ...detailsOf({
      types: [childOf(meta, 'journal-title') === undefined ? 'conference paper' : 'article'],
      openAccess: true,
    }),
    updatedAt: 0,
  };
}

/**
 * `2024.acl` + `long` + `1` is `2024.acl-long.1`. The ids of before 2020 have four digits: one of
 * the volume and three of the paper, or two and two in collections of many small volumes.
 */
function anthologyId(parts: { collection: string; volume: string; paper: string }): string {
  const { collection, volume, paper } = parts;
  if (collection === '' || volume === '' || paper === '') return '';
  if (/^\d/.test(collection)) return `${collection}-${volume}.${paper}`;
  const hasSmallVolumes =
    collection.startsWith('W') ||
    collection === 'C69' ||
    (collection === 'D19' && Number(volume) >= 5);
  return hasSmallVolumes
    ? `${collection}-${volume.padStart(2, '0')}${paper.padStart(2, '0')}`
    : `${collection}-${volume}${paper.padStart(3, '0')}`;
}

/** `2024.acl` and `P19`; the oldest are of the sixties. */
function yearOfCollection(collection: string): number {
  const [, full, short] = /^(?:(\d{4})\.|[A-Z](\d\d)$)/.exec(collection) ?? [];
  if (full !== undefined) return Number(full);
  if (short === undefined) return 0;
  return Number(short) + (Number(short) >= 60 ? 1900 : 2000);
}

function nameOf(author: XmlElement): string {
  const names = [textOf(childOf(author, 'first')), textOf(childOf(author, 'last'))];
  return names.filter((name) => name !== '').join(' ');
}
