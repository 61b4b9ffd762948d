/** Europe PMC's REST API: biomedical papers and preprints, searched by words of title and abstract. */
import { withheldByPublicationTypes } from '../../identity/withheld.ts';
import { LaneFailure } from '../lane/lane-errors.ts';
import type { HttpRequest, Provider } from '../lane/provider.ts';
import { anyWordOf } from '../text/query-text.ts';
import { acceptedBody } from '../transport/response-status.ts';
import {
  arrayOf,
  type JsonObject,
  objectOf,
  objectsOf,
  parseJsonObject,
  stringOf,
} from './response-json.ts';
import type { DocumentContext, FoundPaper } from './to-documents.ts';
import { createWebProvider, type WebSettings } from './web-provider.ts';

export interface EuropepmcSettings extends WebSettings {
  europepmcUrl: string;
  laneWordsMax: number;
}

/** Patents. */
const NO_PAPERS = 'PAT';

export function createEuropepmc(settings: EuropepmcSettings, context: DocumentContext): Provider {
  return createWebProvider(settings, context, {
    requestFor: (query) => europepmcRequest(query, settings),
    papersOf: (response) => parseEuropepmc(acceptedBody(response)),
  });
}

function europepmcRequest(query: string, settings: EuropepmcSettings): HttpRequest {
  const url = new URL('search', settings.europepmcUrl.replace(/\/*$/, '/'));
  // Without a field, it would match words anywhere in the full text.
  const words = anyWordOf(query, settings.laneWordsMax, (word) => `TITLE_ABS:${word}`);
  url.searchParams.set('query', `(${words}) AND HAS_ABSTRACT:y`);
  // The other result types have no abstracts.
  url.searchParams.set('resultType', 'core');
  url.searchParams.set('format', 'json');
  url.searchParams.set('pageSize', String(settings.laneResultsMax));
  return { url };
}

/**
 * The papers of a list of results, whatever its count says. Throws `bad_answer` for anything else.
 * The response to a malformed query has the status 200 and no list.
 */
function parseEuropepmc(body: string): FoundPaper[] {
  const { resultList } = parseJsonObject(body);
  const { result } = objectOf(resultList);
  if (!Array.isArray(result)) {
    throw new LaneFailure('bad_answer', 'Europe PMC did not return a list of results');
  }
  return objectsOf(result)
    .filter(({ source }) => source !== NO_PAPERS)
    .flatMap((found) => [paperOf(found), ...retractedBy(found)]);
}

function paperOf(found: JsonObject): FoundPaper {
  const { source, id } = found;
  const journal = objectOf(objectOf(found['journalInfo'])['journal']);
  return {
    id: stringOf(id) === '' ? '' : `EuropePMC:${stringOf(source)}/${stringOf(id)}`,
    identifiers: { doi: found['doi'], pmid: found['pmid'], pmcid: found['pmcid'] },
    title: found['title'],
    abstract: found['abstractText'],
    year: found['pubYear'],
    authors: objectsOf(objectOf(found['authorList'])['author']).map(nameOf),
    venue: journal['title'],
    withheld: isRetracted(found) ? 'retracted' : undefined,
  };
}

function isRetracted(found: JsonObject): boolean {
  const types = arrayOf(objectOf(found['pubTypeList'])['pubType']).map(stringOf);
  const isNotice = types.includes('Retraction of Publication');
  // A notice is withheld, too, because it is not a paper.
  return (
    isNotice ||
    withheldByPublicationTypes(types) !== undefined ||
    commentsOf(found, 'retraction in').length > 0
  );
}

/** The papers that a notice retracts. */
function retractedBy(found: JsonObject): FoundPaper[] {
  return commentsOf(found, 'retraction of').map(({ source, id }) => ({
    id: '',
    identifiers: source === 'MED' ? { pmid: id } : {},
    title: '',
    withheld: 'retracted',
  }));
}

/** The links of one type to other records. */
function commentsOf(found: JsonObject, kind: string): JsonObject[] {
  const comments = objectOf(found['commentCorrectionList'])['commentCorrection'];
  return objectsOf(comments).filter(({ type }) => stringOf(type).toLowerCase() === kind);
}

/** The name of a person or a group. `fullName` is only a family name with initials. */
function nameOf(author: JsonObject): string {
  const names = [author['firstName'], author['lastName']].map(stringOf);
  const isWhole = names.every((name) => name !== '');
  return isWhole
    ? names.join(' ')
    : stringOf(author['fullName']) || stringOf(author['collectiveName']);
}
