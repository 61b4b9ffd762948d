/** The tool `search`. Its results have the shape of ChatGPT's connectors: id, title, url, text. */
import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import { assertNone } from '../http/field-errors.ts';
import { parseSearchFields } from '../http/validate.ts';
import type { FallbackOutcome, LaneTrace } from '../lanes/lane-trace.ts';
import { describeUnread } from '../search/question-language.ts';
import { type Citation, paperTypes } from '../types.ts';
import type { Backend, FoundPapers } from './backend.ts';
import { paperLink } from './paper-uri.ts';
import { readOnly } from './read-only.ts';
import { priceOf } from './tool-price.ts';
import { DATA_NOTICE, toolOf } from './tool-result.ts';
import { visibleText } from './visible-text.ts';

interface SearchArguments {
  query: string;
  limit?: number;
  abstract?: boolean;
  lanes?: string;
  filter?: Record<string, unknown>;
  exclude?: string[];
  max_tokens?: number;
  sentences?: number;
  min_score?: number;
  answers?: boolean;
  min_answer?: number;
}

/** A text, or several of which one must match. Some clients know schemas with one type only. */
const oneOrMore = (items: object) => ({ anyOf: [{ type: 'string' }, { type: 'array', items }] });
const names = oneOrMore({ type: 'string' });
const ids = { type: 'array', items: { type: 'string' } };

/** What it does not say, such as unknown names, `parseSearchFields` checks with a better message. */
const filterSchema = {
  type: 'object',
  description: 'Only papers that match all of it',
  properties: {
    year: {
      type: 'object',
      properties: { from: { type: 'integer' }, to: { type: 'integer' } },
    },
    type: oneOrMore({ enum: paperTypes }),
    venue: { ...names, description: 'Whole names of journals or conferences' },
    author: { ...names, description: 'Whole names or ORCIDs' },
    doi_prefix: names,
    source: { ...names, description: 'openalex, arxiv, pubmed, ...' },
    ids,
    has_abstract: { type: 'boolean' },
    open_access: { type: 'boolean' },
    min_citations: { type: 'integer' },
    cites: ids,
    cited_by: ids,
  },
};

const properties = {
  query: { type: 'string', description: 'A question in plain words, not keywords or operators' },
  limit: { type: 'integer', default: 10, description: '1 to 50' },
  abstract: { type: 'boolean', description: 'Also return abstracts' },
  lanes: {
    type: 'string',
    description: '"none" keeps the question from live sources (arXiv, the web, ...)',
  },
  filter: filterSchema,
  exclude: { type: 'array', items: { type: 'string' }, description: 'Ids of papers to leave out' },
  max_tokens: { type: 'integer', description: 'Of all results; at least 50' },
  sentences: { type: 'integer', description: 'Of each paper, 1 to 5' },
  min_score: { type: 'number', description: '0 to 1' },
  answers: {
    type: 'boolean',
    description: 'Also return how likely each sentence answers',
  },
  min_answer: { type: 'number', description: '0 to 1' },
};

/** `assertNone` refuses other arguments, because it names them and what was probably meant. */
const inputSchema = fromJsonSchema<SearchArguments>({
  type: 'object',
  properties,
  required: ['query'],
});

const outputSchema = fromJsonSchema({
  type: 'object',
  properties: {
    results: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          title: { type: 'string' },
          url: { type: 'string' },
          text: { type: 'string', description: 'The sentence that answers best, word for word' },
          year: { type: 'integer', description: 'Absent if unknown' },
          authors: { type: 'array', items: { type: 'string' } },
          score: { type: 'number', description: 'Relevance from 0 to 1' },
          source: { type: 'string', description: 'corpus, or the live source' },
          abstract: { type: 'string' },
          sentences: { type: 'array', items: { type: 'string' }, description: 'The best first' },
          answers: { type: 'number', description: 'The probability that text answers, 0 to 1' },
        },
        required: ['id', 'title', 'url', 'text', 'authors', 'score', 'source'],
      },
    },
    confidence: {
      type: 'number',
      description: 'How close the index comes to the question, 0 to 1',
    },
    dropped: { type: 'integer', description: 'Results that max_tokens left out' },
    failed_sources: {
      type: 'array',
      items: { type: 'string' },
      description: 'Live sources that gave no answer: the results may be incomplete',
    },
    notice: { type: 'string' },
  },
  required: ['results', 'confidence', 'failed_sources', 'notice'],
});

/** Adds the tool to a server. */
export function addSearchTool(server: McpServer, backend: Backend): void {
  server.registerTool(
    'search',
    {
      title: 'Search scholarly papers',
      description: `Search papers by a question. Returns for each relevant paper the one sentence that answers best, word for word, to quote with its id and url. ${priceOf(backend)}`,
      inputSchema,
      outputSchema,
      annotations: readOnly,
    },
    toolOf(async ({ abstract, answers, ...fields }) => {
      assertNone(fields, 'the arguments', Object.keys(properties));
      const input = {
        ...fields,
        ...(abstract && { fields: 'abstract' }),
        ...(answers && { include: 'answers' }),
      };
      return describe(await backend.search(parseSearchFields(input)));
    }),
  );
}

function describe({ answer, lanes, unread }: FoundPapers): Record<string, unknown> {
  const failed = failedSources(lanes);
  const incomplete =
    failed.length === 0
      ? ''
      : ` Incomplete: ${failed.join(', ')} failed, which does not mean that nothing exists there.`;
  return {
    results: answer.results.map(describeCitation),
    confidence: answer.c,
    ...(answer.dropped === undefined ? {} : { dropped: answer.dropped }),
    failed_sources: failed,
    notice: `${DATA_NOTICE}${incomplete}${unread === undefined ? '' : ` ${describeUnread(unread)}`}`,
  };
}

function describeCitation({
  d,
  t,
  y,
  a,
  s,
  q,
  ab,
  src,
  sentences,
  answers,
}: Citation): Record<string, unknown> {
  return {
    id: d,
    title: visibleText(t),
    url: paperLink(d),
    text: visibleText(q),
    ...(y === 0 ? {} : { year: y }),
    authors: a.map(visibleText),
    score: s,
    source: src,
    ...(ab === undefined ? {} : { abstract: visibleText(ab) }),
    ...(sentences === undefined ? {} : { sentences: sentences.map(({ q }) => visibleText(q)) }),
    ...(answers === undefined ? {} : { answers }),
  };
}

/** With one of these, no lane's papers are in the answer, though they may have some. */
const incomplete: readonly FallbackOutcome[] = ['busy', 'no_time', 'late', 'failed', 'not_scored'];

/** Names what did not answer, with the reason if there is one. */
function failedSources(lanes: LaneTrace | undefined): string[] {
  if (lanes === undefined) return [];
  const { outcome, reports } = lanes;
  const failed = reports
    .filter((report) => !['answered', 'cached'].includes(report.outcome))
    .map(({ lane, outcome: came, reason }) => `${lane} (${reason || came})`);
  const isComplete = !incomplete.includes(outcome);
  return !isComplete && failed.length === 0 ? [`live sources (${outcome})`] : failed;
}
