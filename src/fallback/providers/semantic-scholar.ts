/**
 * Semantic Scholar. With a key: its snippets, with the sentences that it marked in them, and a
 * second request for all that a snippet lacks of its paper. Without one: a search of papers.
 */

import type { LaneDocument } from '../lane/lane.ts';
import { LaneFailure } from '../lane/lane-errors.ts';
import type { Exchange, Provider, ShowPartial } from '../lane/provider.ts';
import { plainQuery } from '../text/query-text.ts';
import { passageOf } from '../text/whole-sentences.ts';
import type { HttpRequest } from '../transport/http-client.ts';
import { acceptedBody } from '../transport/response-status.ts';
import {
  arrayOf,
  type JsonObject,
  objectOf,
  objectsOf,
  parseJsonArray,
  parseJsonObject,
  stringOf,
} from './json.ts';
import { snippetSentences } from './snippet-sentences.ts';
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

/** Whether the provider has rejected the key lately. */
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
  /** Undefined where the key is rejected. */
  const exchangeWithKey = async <Result>(
    exchange: Exchange,
    request: HttpRequest,
    read: (body: string) => Result,
  ): Promise<Result | undefined> => {
    const keyed = { ...request, secretHeaders: { 'x-api-key': key } };
    const result = await exchange(keyed, (answer) => {
      if (answer.status === 401 || answer.status === 403) return undefined;
      return { read: read(acceptedBody(answer)) };
    });
    if (result === undefined) keyBlock.block();
    return result?.read;
  };

  /** Undefined where the key is rejected. */
  const askWithKey = async (
    query: string,
    exchange: Exchange,
    show: ShowPartial,
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
    // Sentence, title and authors are there already: better than nothing.
    show(documentsWith([]));
    const batch = batchRequest(snippets, settings);
    const papers = await exchangeWithKey(exchange, batch, parseJsonArray);
    return papers && documentsWith(papers);
  };

  return {
    name: 'semantic_scholar',
    lane: 'semantic_scholar',
    isStorable: context.isStorable,
    rateLimits: { gapMs: settings.semanticScholarGapMs, concurrencyMax: 1 },
    retriesMax: 1,
    requestFor: (query) =>
      usesKey() ? snippetRequest(query, settings) : searchRequest(query, settings),
    async ask(query, exchange, show) {
      const documents = usesKey() ? await askWithKey(query, exchange, show) : undefined;
      if (documents !== undefined) return documents;
      return exchange(searchRequest(query, settings), (answer) =>
        toDocuments(parsePapers(acceptedBody(answer)), context),
      );
    },
    quotaOf: () => ({}),
    isDegraded: () => key !== '' && keyBlock.isBlocked(),
  };
}

/** Plain words: a hyphenated term matches nothing, and some quoted queries are refused. */
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

function batchRequest(
  snippets: readonly SnippetPaper[],
  settings: SemanticScholarSettings,
): HttpRequest {
  const url = new URL('/graph/v1/paper/batch', settings.semanticScholarUrl);
  url.searchParams.set('fields', FIELDS);
  return {
    url,
    body: JSON.stringify({ ids: snippets.map(({ corpusId }) => `CorpusId:${corpusId}`) }),
  };
}

/** The papers of a search. Throws `bad_answer` for an error in the place of an answer. */
function parsePapers(body: string): FoundPaper[] {
  return dataOf(body).map((paper) => paperOf(paper));
}

/** The snippets by paper, in the order of each paper's best one. Throws `bad_answer` likewise. */
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
      // Names, in an array of their own in some answers.
      authors: arrayOf(paper['authors']).flat().map(nameOf),
    };
    papers.set(corpusId, known);
    for (const sentence of snippetSentences(objectOf(item['snippet']))) {
      if (!known.sentences.includes(sentence)) known.sentences.push(sentence);
    }
  }
  return [...papers.values()];
}

/** `data` is missing in some answers without results, and in those that are errors. */
function dataOf(body: string): JsonObject[] {
  const answer = parseJsonObject(body);
  if (Array.isArray(answer['data'])) return objectsOf(answer['data']);
  if (answer['error'] === undefined && answer['message'] === undefined) return [];
  throw new LaneFailure('bad_answer', 'Semantic Scholar answered with an error');
}

function paperOfSnippet(snippet: SnippetPaper, found: unknown): FoundPaper {
  const { corpusId, title, authors, sentences } = snippet;
  const excerpt = passageOf(sentences);
  const paper = objectOf(found);
  // Unknown ids are null in the answer to a batch.
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
