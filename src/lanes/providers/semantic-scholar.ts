/**
 * Semantic Scholar. With a key it takes two requests: one for snippets with marked sentences, and
 * one for the papers of the snippets. Without a key it is one search of papers.
 */

import type { Identifiers } from '../../types.ts';
import type { LaneDocument } from '../lane/lane.ts';
import { LaneFailure } from '../lane/lane-errors.ts';
import type { Exchange, HttpRequest, Inquiry, Provider, ShowPartial } from '../lane/provider.ts';
import { plainLine } from '../text/plain-text.ts';
import { plainQuery } from '../text/query-text.ts';
import { isCut, passageOf } from '../text/whole-sentences.ts';
import { acceptedBody } from '../transport/response-status.ts';
import {
  arrayOf,
  type JsonObject,
  objectOf,
  objectsOf,
  parseJsonArray,
  parseJsonObject,
  stringOf,
} from './response-json.ts';
import { type DocumentContext, type FoundPaper, toDocuments } from './to-documents.ts';

export interface SemanticScholarSettings {
  semanticScholarUrl: string;
  semanticScholarKey: string;
  semanticScholarGapMs: number;
  laneResultsMax: number;
  laneQueryCharactersMax: number;
}

const FIELDS = 'title,abstract,year,authors,externalIds,url,venue';

/** The snippets of one paper. */
interface SnippetPaper {
  corpusId: string;
  title: string;
  authors: string[];
  sentences: string[];
}

/** Remembers that the provider rejected the key. */
export interface KeyBlock {
  isBlocked(): boolean;
  block(): void;
}

export function createSemanticScholar(
  settings: SemanticScholarSettings,
  context: DocumentContext,
  keyBlock: KeyBlock,
): Provider {
  const { semanticScholarKey: key } = settings;
  const usesKey = (): boolean => key !== '' && !keyBlock.isBlocked();
  /** Undefined if the provider rejects the key. */
  const exchangeWithKey = async <Result>(
    exchange: Exchange,
    request: HttpRequest,
    read: (body: string) => Result,
  ): Promise<Result | undefined> => {
    const keyed = { ...request, secretHeaders: { 'x-api-key': key } };
    const result = await exchange(keyed, (response) => {
      if (response.status === 401 || response.status === 403) return undefined;
      return { read: read(acceptedBody(response)) };
    });
    if (result === undefined) keyBlock.block();
    return result?.read;
  };

  /** Undefined if the provider rejects the key. */
  const askWithKey = async (
    query: string,
    exchange: Exchange,
    showPartial: ShowPartial,
  ): Promise<LaneDocument[] | undefined> => {
    const request = snippetRequest(query, settings);
    const snippets = await exchangeWithKey(exchange, request, parseSnippets);
    if (snippets === undefined) return undefined;
    if (snippets.length === 0) return [];
    const documentsWith = (papers: readonly unknown[]): LaneDocument[] =>
      toDocuments(
        snippets.map((snippet, index) => paperOfSnippet(snippet, papers[index])),
        context,
      );
    // Sentences, titles, and authors are better than nothing.
    showPartial(documentsWith([]));
    const ids = snippets.map(({ corpusId }) => `CorpusId:${corpusId}`);
    const batch = batchRequest(ids, settings);
    const papers = await exchangeWithKey(exchange, batch, parseJsonArray);
    return papers && documentsWith(papers);
  };

  const inquiry = (
    request: () => HttpRequest,
    papersOf: (body: string) => FoundPaper[],
  ): Inquiry => ({
    request,
    async find(exchange) {
      const read = (body: string): LaneDocument[] => toDocuments(papersOf(body), context);
      const found = usesKey() ? await exchangeWithKey(exchange, request(), read) : undefined;
      return found ?? exchange(request(), (response) => read(acceptedBody(response)));
    },
  });

  return {
    name: 'semantic_scholar',
    lane: 'semantic_scholar',
    isStorable: context.isStorable,
    rateLimits: { gapMs: settings.semanticScholarGapMs, concurrencyMax: 1 },
    retriesMax: 1,
    inquire: (query) => {
      const search = inquiry(() => searchRequest(query, settings), parsePapers);
      return {
        request: () => (usesKey() ? snippetRequest(query, settings) : search.request()),
        async find(exchange, showPartial) {
          const found = usesKey() ? await askWithKey(query, exchange, showPartial) : undefined;
          return found ?? search.find(exchange, showPartial);
        },
      };
    },
    lookUp: {
      byIdentifiers(identifiers) {
        const ids = semanticScholarIds(identifiers);
        const request = batchRequest(ids, settings);
        return ids.length === 0 ? undefined : inquiry(() => request, parseBatch);
      },
      byTitle: (title) => inquiry(() => searchRequest(title, settings), parsePapers),
    },
    quotaOf: () => ({}),
    isDegraded: () => key !== '' && keyBlock.isBlocked(),
  };
}

/** Plain words, because a hyphenated term matches nothing and some quoted queries are refused. */
export function semanticScholarQuery(query: string, charactersMax: number): string {
  return plainQuery(query.replace(/[-‐‑‒–—]/g, ' ').replace(/['’]/g, ' '), { charactersMax });
}

function searchRequest(query: string, settings: SemanticScholarSettings): HttpRequest {
  const url = new URL('/graph/v1/paper/search', settings.semanticScholarUrl);
  url.searchParams.set('query', semanticScholarQuery(query, settings.laneQueryCharactersMax));
  url.searchParams.set('fields', FIELDS);
  url.searchParams.set('limit', String(settings.laneResultsMax));
  return { url };
}

function snippetRequest(query: string, settings: SemanticScholarSettings): HttpRequest {
  const url = new URL('/graph/v1/snippet/search', settings.semanticScholarUrl);
  url.searchParams.set('query', semanticScholarQuery(query, settings.laneQueryCharactersMax));
  url.searchParams.set('limit', String(settings.laneResultsMax));
  return { url };
}

function batchRequest(ids: readonly string[], settings: SemanticScholarSettings): HttpRequest {
  const url = new URL('/graph/v1/paper/batch', settings.semanticScholarUrl);
  url.searchParams.set('fields', FIELDS);
  return { url, body: JSON.stringify({ ids }) };
}

/** The identifiers as Semantic Scholar writes them. */
function semanticScholarIds({ doi, arxiv, pmid, pmcid, acl, s2 }: Identifiers): string[] {
  const named = {
    DOI: doi,
    ARXIV: arxiv,
    PMID: pmid,
    PMCID: pmcid?.slice(3),
    ACL: acl,
    CorpusId: s2,
  };
  return Object.entries(named).flatMap(([name, id]) => (id === undefined ? [] : `${name}:${id}`));
}

/** The papers of a batch. Unknown ids are null. */
function parseBatch(body: string): FoundPaper[] {
  return objectsOf(parseJsonArray(body)).map(paperOf);
}

/** The papers of a search. Throws `bad_answer` for an error. */
function parsePapers(body: string): FoundPaper[] {
  return dataOf(body).map((paper) => paperOf(paper));
}

/** The snippets by paper, in the order of each paper's best snippet. Throws `bad_answer` for an error. */
function parseSnippets(body: string): SnippetPaper[] {
  const papers = new Map<string, SnippetPaper>();
  for (const item of dataOf(body)) {
    const paper = objectOf(item['paper']);
    const corpusId = String(paper['corpusId'] ?? '');
    if (!/^\d{1,15}$/.test(corpusId)) continue;
    const known = papers.get(corpusId) ?? {
      corpusId,
      title: stringOf(paper['title']),
      sentences: [],
      // In some responses, the names are in a nested array.
      authors: arrayOf(paper['authors']).flat().map(nameOf),
    };
    papers.set(corpusId, known);
    for (const sentence of snippetSentences(objectOf(item['snippet']))) {
      if (!known.sentences.includes(sentence)) known.sentences.push(sentence);
    }
  }
  return [...papers.values()];
}

/** `data` is missing in errors, and in some responses without results. */
function dataOf(body: string): JsonObject[] {
  const response = parseJsonObject(body);
  if (Array.isArray(response['data'])) return objectsOf(response['data']);
  if (response['error'] === undefined && response['message'] === undefined) return [];
  throw new LaneFailure('bad_answer', 'Semantic Scholar returned an error');
}

function paperOfSnippet(snippet: SnippetPaper, found: unknown): FoundPaper {
  const { corpusId, title, authors, sentences } = snippet;
  const excerpt = passageOf(sentences);
  const paper = objectOf(found);
  // In the response to a batch, unknown ids are null.
  if (stringOf(paper['paperId']) === '') {
    return { id: '', identifiers: { s2: corpusId }, title, authors, excerpt };
  }
  return { ...paperOf(paper), excerpt };
}

function paperOf(paper: JsonObject): FoundPaper {
  const ids = objectOf(paper['externalIds']);
  const paperId = stringOf(paper['paperId']);
  return {
    id: paperId === '' ? '' : `SemanticScholar:${paperId}`,
    identifiers: {
      doi: ids['DOI'],
      arxiv: ids['ArXiv'],
      acl: ids['ACL'],
      s2: ids['CorpusId'],
      pmid: ids['PubMed'],
      pmcid: ids['PubMedCentral'],
    },
    title: paper['title'],
    abstract: paper['abstract'],
    year: paper['year'],
    authors: arrayOf(paper['authors']).map(nameOf),
    venue: paper['venue'],
  };
}

function nameOf(author: unknown): string {
  return typeof author === 'string' ? author : stringOf(objectOf(author)['name']);
}

/**
 * The sentences that Semantic Scholar marked in a snippet. Its offsets count code points. A mark that
 * is out of range or inside a word is dropped. A snippet without marks is not quoted, because it was
 * cut and its sentence boundaries are unknown. A title is not a sentence.
 */
function snippetSentences(snippet: JsonObject): string[] {
  if (snippet['snippetKind'] === 'title') return [];
  const characters = [...stringOf(snippet['text'])];
  const isLetter = (index: number): boolean => /[\p{L}\p{N}]/u.test(characters[index] ?? '');
  const isInsideWord = (index: number): boolean => isLetter(index - 1) && isLetter(index);
  return objectsOf(objectOf(snippet['annotations'])['sentences'])
    .map(({ start, end }) => ({ start: Number(start ?? -1), end: Number(end ?? -1) }))
    .filter(({ start, end }) => Number.isInteger(start) && Number.isInteger(end))
    .filter(({ start, end }) => start >= 0 && start < end && end <= characters.length)
    .filter(({ start, end }) => !isInsideWord(start) && !isInsideWord(end))
    .map(({ start, end }) => plainLine(characters.slice(start, end).join('')))
    .filter((sentence) => sentence !== '' && !isCut(sentence));
}
