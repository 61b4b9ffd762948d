/**
 * What arXiv's OAI-PMH interface answers to ListRecords and GetRecord, in its formats `arXiv` and
 * `arXivRaw` (info.arxiv.org/help/oa); pages may follow each other in one file.
 */

import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import { isWithdrawnByAuthors } from '../../identity/withheld.ts';
import type { SourceRecord } from '../../types.ts';
import type { Entry, Format } from '../format.ts';
import { arxivAuthors, arxivText } from '../values/arxiv-text.ts';
import { loadTex } from '../values/tex.ts';
import { childOf, childrenOf, rawTextOf, textOf, type XmlElement } from '../xml/element.ts';
import { readXmlRecords } from '../xml/read-records.ts';
import { rootOf } from '../xml/root.ts';

export const arxivOaiFormat: Format = {
  name: 'arxiv-oai',
  description: 'answers of arXiv to OAI-PMH harvesting, as arXiv or arXivRaw',
  recognises: (head) => rootOf(head)?.name === 'OAI-PMH' && /\barxiv\.org\b/i.test(head.text),
  async *entries(source, limits) {
    await loadTex();
    const records = readXmlRecords(source.chunks(), {
      path: source.path,
      records: ['record', 'error'],
      recordCharactersMax: limits.lineBytesMax,
    });
    for await (const record of records) {
      const entry = 'problem' in record ? record : readRecord(record.element);
      if (entry !== undefined) yield entry;
    }
  },
};

/** Undefined where nothing is amiss and nothing there: no record changed in a period. */
function readRecord(element: XmlElement): Entry | undefined {
  const { line, name } = element;
  if (name === 'error') {
    const code = element.attributes['code'] ?? '';
    if (code === 'noRecordsMatch') return undefined;
    const problem = `not records but an error of the interface: ${code} ${textOf(element)}`;
    return { line, problem, reason: 'malformed' };
  }
  const header = childOf(element, 'header');
  if (header?.attributes['status'] === 'deleted') {
    const arxiv = textOf(childOf(header, 'identifier')).replace(/^oai:arXiv\.org:/i, '');
    return { line, deletion: identifiersOf({ arxiv }) };
  }
  const metadata = childOf(element, 'metadata');
  const updatedAt = Date.parse(textOf(childOf(header, 'datestamp'))) || 0;
  const raw = childOf(metadata, 'arXivRaw');
  if (raw !== undefined) return { line, document: readRaw(raw, updatedAt) };
  const arxiv = childOf(metadata, 'arXiv');
  if (arxiv !== undefined) return { line, document: readArxiv(arxiv, updatedAt) };
  const problem = 'the metadata are neither arXiv nor arXivRaw';
  return { line, problem, reason: 'malformed' };
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
  // An author may give several DOIs with blanks between them; the first is the article's.
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
    updatedAt,
  };
}

/** Of the first version, which need not come first. */
function yearOfVersions(raw: XmlElement): number {
  const numberOf = ({ attributes }: XmlElement): number =>
    Number(/\d+/.exec(attributes['version'] ?? '')?.[0] ?? 0);
  const [first] = childrenOf(raw, 'version').sort((a, b) => numberOf(a) - numberOf(b));
  return Number(/\b\d{4}\b/.exec(textOf(childOf(first, 'date')))?.[0] ?? 0);
}
