/**
 * Search results of Europe PMC's REST API in JSON or XML, which have the same fields
 * (europepmc.org/RestfulWebService). Only `resultType=core` has abstracts.
 */

import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import { withheldByPublicationTypes } from '../../identity/withheld.ts';
import type { SourceRecord } from '../../types.ts';
import { yearOf } from '../json/citeproc.ts';
import { firstText, type JsonRecord, readId, readObject, readObjects } from '../json/fields.ts';
import { jsonFormat } from '../json/json-format.ts';
import type { EntryContent, Format } from '../read/packed-format.ts';
import { peek } from '../read/peek.ts';
import { aboutOf } from '../values/about.ts';
import { detailsOf } from '../values/details.ts';
import { markupToAbstract, markupToLine } from '../values/markup.ts';
import { pubmedTitle } from '../values/pubmed-title.ts';
import { fieldsOfElement } from '../xml/fields-of-element.ts';
import { readXmlRecords } from '../xml/read-records.ts';
import { rootOf } from '../xml/root.ts';

/** Sources of patents. */
const NOT_PAPERS = new Set(['PAT']);

const fromJson = jsonFormat({
  name: 'europepmc',
  description: '',
  matches: (record) =>
    'source' in record && 'id' in record && ('pubYear' in record || 'authorString' in record),
  read: readResult,
});

export const europepmcFormat: Format = {
  name: 'europepmc',
  description: "answers of Europe PMC's API to a search, as JSON or XML (resultType=core)",
  recognizes: (head) =>
    rootOf(head)?.name === 'responseWrapper' || (!isXml(head.text) && fromJson.recognizes(head)),
  async *entries(source, limits) {
    const { start, all } = await peek(source.chunks(), START_BYTES);
    const again = { ...source, chunks: () => all };
    if (!isXml(start.toString('latin1'))) {
      yield* fromJson.entries(again, limits);
      return;
    }
    const records = readXmlRecords(all, {
      path: source.path,
      records: ['result'],
      recordCharactersMax: limits.lineBytesMax,
    });
    for await (const record of records) {
      if ('problem' in record) yield record;
      else {
        const fields = fieldsOfElement(record.element, LISTS);
        for (const content of readResult(fields)) yield { line: record.line, ...content };
      }
    }
  },
};

/** Enough to tell XML from JSON. */
const START_BYTES = 512;

/** Elements that may occur several times. */
const LISTS = ['author', 'pubType', 'commentCorrection', 'fullTextUrl'];

function isXml(start: string): boolean {
  return /^(?:\u{feff}|ï»¿)?\s*</u.test(start);
}

function readResult(found: JsonRecord): EntryContent[] {
  const source = firstText(found['source']);
  if (NOT_PAPERS.has(source))
    return [{ problem: 'not a paper but a patent', reason: 'not_a_paper' }];
  const retracted = commentsOf(found, 'retraction of').flatMap((comment): EntryContent[] => {
    const pmid = firstText(comment['source']) === 'MED' ? readId(comment, 'id') : '';
    const identifiers = identifiersOf({ pmid });
    if (identifiers.pmid === undefined) return [];
    return [{ supplement: { identifiers, abstract: '', withheld: 'retracted' } }];
  });
  if (retracted.length > 0) return retracted;
  const about = aboutOf([found['language']], typesOf(found));
  return [{ document: toDocument(found, source), about }];
}

function toDocument(found: JsonRecord, source: string): SourceRecord {
  const identifiers = identifiersOf({
    doi: found['doi'],
    pmcid: found['pmcid'],
    pmid: found['pmid'] ?? (source === 'MED' ? found['id'] : undefined),
  });
  const id = readId(found, 'id');
  const typeNames = typesOf(found);
  const isRetracted =
    withheldByPublicationTypes(typeNames) ??
    (commentsOf(found, 'retraction in').length > 0 ? 'retracted' : undefined);
  const fullTexts = readObjects(readObject(found, 'fullTextUrlList'), 'fullTextUrl').filter(
    ({ availabilityCode }) => ['OA', 'F'].includes(firstText(availabilityCode)),
  );
  return {
    id: documentIdOf(identifiers, id === '' ? '' : `EuropePMC:${source}/${id}`),
    title: pubmedTitle(markupToLine(firstText(found['title'])), ''),
    abstract: markupToAbstract(firstText(found['abstractText'])),
    year: yearOf(found['pubYear']) || yearOf(found['firstPublicationDate']),
    authors: authorsOf(found),
    venue: markupToLine(
      firstText(
        readObject(readObject(found, 'journalInfo'), 'journal')['title'],
        ...[found['journalTitle'], readObject(found, 'bookOrReportDetails')['publisher']],
      ),
    ),
    identifiers,
    ...(isRetracted === undefined ? {} : { withheld: isRetracted }),
    ...detailsOf({
      types: typeNames,
      openAccess: { Y: true, N: false }[firstText(found['isOpenAccess'])],
      openAccessUrls: fullTexts.map(({ url }) => url),
      citationCount: found['citedByCount'],
      orcids: readObjects(readObject(found, 'authorList'), 'author')
        .map((author) => readObject(author, 'authorId'))
        .map(({ type, value }) => (type === 'ORCID' ? value : undefined)),
    }),
    updatedAt: 0,
  };
}

function typesOf(found: JsonRecord): string[] {
  const types = readObject(found, 'pubTypeList')['pubType'];
  return Array.isArray(types) ? types.map((type) => firstText(type)) : [];
}

/** Full names if the response has them. Short results have one string of all names. */
function authorsOf(found: JsonRecord): string[] {
  const listed = readObjects(readObject(found, 'authorList'), 'author').map((author) => {
    const names = [author['firstName'], author['lastName']].map((name) => firstText(name));
    const isWhole = names.every((name) => name !== '');
    return isWhole ? names.join(' ') : firstText(author['fullName'], author['collectiveName']);
  });
  const names =
    listed.length > 0 ? listed : firstText(found['authorString']).replace(/\.$/, '').split(/,\s*/);
  return names.filter((name) => name !== '');
}

/** Links of one kind from this record to others. */
function commentsOf(found: JsonRecord, kind: string): JsonRecord[] {
  return readObjects(readObject(found, 'commentCorrectionList'), 'commentCorrection').filter(
    ({ type }) => firstText(type).toLowerCase() === kind,
  );
}
