/**
 * Responses of arXiv's OAI-PMH interface to ListRecords and GetRecord as `arXiv`, `arXivRaw`, or
 * `oai_dc` (info.arxiv.org/help/oa). A file may hold several pages.
 */

import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import { isWithdrawnByAuthors } from '../../identity/withheld.ts';
import type { SourceRecord } from '../../types.ts';
import type { Entry, Format } from '../read/packed-format.ts';
import { type About, aboutOf } from '../values/about.ts';
import { arxivField } from '../values/arxiv-field.ts';
import { arxivAuthors, arxivText } from '../values/arxiv-text.ts';
import { detailsOf } from '../values/details.ts';
import { loadTex } from '../values/tex.ts';
import { readDublinCore } from '../xml/dublin-core.ts';
import { childOf, childrenOf, rawTextOf, textOf, type XmlElement } from '../xml/element.ts';
import { isOfOai, type OaiRecord, readOaiRecords } from '../xml/oai-records.ts';

export const arxivOaiFormat: Format = {
  name: 'arxiv-oai',
  description: 'answers of arXiv to OAI-PMH harvesting, as arXiv, arXivRaw or oai_dc',
  // Other repositories may mention arXiv as the location of a copy.
  recognizes: (head) =>
    isOfOai(head) &&
    /<(?:\w+:)?request[^>]*>[^<]*\barxiv\.org\b|oai:arXiv\.org:|\barxiv\.org\/OAI\b/i.test(
      head.text,
    ),
  async *entries(source, limits) {
    await loadTex();
    for await (const record of readOaiRecords(source, limits)) {
      yield 'problem' in record ? record : readRecord(record);
    }
  },
};

function readRecord({ line, identifier, isDeleted, updatedAt, metadata }: OaiRecord): Entry {
  const ownId = identifier.replace(/^oai:arXiv\.org:/i, '');
  if (isDeleted) return { line, deletion: identifiersOf({ arxiv: ownId }) };
  const raw = childOf(metadata, 'arXivRaw');
  if (raw !== undefined) return { line, document: readRaw(raw, updatedAt), about: readAbout(raw) };
  const arxiv = childOf(metadata, 'arXiv');
  if (arxiv !== undefined) {
    return { line, document: readArxiv(arxiv, updatedAt), about: readAbout(arxiv) };
  }
  const dc = childOf(metadata, 'dc');
  if (dc !== undefined) return { line, document: readDc(dc, { ownId, updatedAt }) };
  const problem = 'the metadata are neither arXiv nor arXivRaw nor oai_dc';
  return { line, problem, reason: 'malformed' };
}

function readAbout(metadata: XmlElement): About {
  return aboutOf([], [], [arxivField(textOf(childOf(metadata, 'categories')))]);
}

/** `oai_dc` has no journal, and comments are separate descriptions. */
function readDc(
  dc: XmlElement,
  { ownId, updatedAt }: { ownId: string; updatedAt: number },
): SourceRecord {
  const found = readDublinCore(dc);
  const identifiers = { ...found.identifiers, ...identifiersOf({ arxiv: ownId }) };
  const descriptions = childrenOf(dc, 'description').map((text) => rawTextOf(text));
  const [abstract = ''] = descriptions.filter((text) => !/^\s*Comment:/.test(text)).map(arxivText);
  const comments = descriptions.find((text) => /^\s*Comment:/.test(text)) ?? '';
  const isWithdrawn = isWithdrawnByAuthors({
    abstract,
    comments: comments.replace(/^\s*Comment:\s*/, ''),
  });
  return {
    ...found,
    id: documentIdOf(identifiers),
    identifiers,
    abstract,
    ...detailsOf({ types: ['preprint'], openAccess: true }),
    updatedAt,
    ...(isWithdrawn ? { withheld: 'withdrawn' as const } : {}),
  };
}

function readRaw(raw: XmlElement, updatedAt: number): SourceRecord {
  const authors = arxivAuthors(rawTextOf(childOf(raw, 'authors')));
  return { ...readCommon(raw, updatedAt), authors, year: yearOfVersions(raw) };
}

function readArxiv(arxiv: XmlElement, updatedAt: number): SourceRecord {
  const authors = childrenOf(childOf(arxiv, 'authors'), 'author')
    .map((author) =>
      ['forenames', 'keyname', 'suffix']
        .map((part) => textOf(childOf(author, part)))
        .filter((part) => part !== '')
        .join(' '),
    )
    .filter((name) => name !== '');
  const year = Number(/^\d{4}/.exec(textOf(childOf(arxiv, 'created')))?.[0] ?? 0);
  return { ...readCommon(arxiv, updatedAt), authors, year };
}

function readCommon(
  metadata: XmlElement,
  updatedAt: number,
): Omit<SourceRecord, 'authors' | 'year'> {
  const text = (name: string): string => textOf(childOf(metadata, name));
  const abstract = arxivText(rawTextOf(childOf(metadata, 'abstract')));
  // Authors may enter several DOIs separated by blanks. The first is that of the article.
  const [doi = ''] = text('doi').split(/[\s,;]+/);
  const identifiers = identifiersOf({ arxiv: text('id'), doi });
  return {
    id: documentIdOf(identifiers),
    title: text('title'),
    abstract,
    venue: text('journal-ref'),
    identifiers,
    ...(isWithdrawnByAuthors({ abstract, comments: text('comments') })
      ? { withheld: 'withdrawn' as const }
      : {}),
    ...detailsOf({ types: ['preprint'], openAccess: true }),
    updatedAt,
  };
}

/** The year of the first version, which need not come first. */
function yearOfVersions(raw: XmlElement): number {
  const numberOf = ({ attributes }: XmlElement): number =>
    Number(/\d+/.exec(attributes['version'] ?? '')?.[0] ?? 0);
  const [first] = childrenOf(raw, 'version').sort((a, b) => numberOf(a) - numberOf(b));
  return Number(/\b\d{4}\b/.exec(textOf(childOf(first, 'date')))?.[0] ?? 0);
}
