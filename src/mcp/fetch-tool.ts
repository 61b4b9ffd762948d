/** The tool `fetch`. Its result has the shape of ChatGPT's connectors: id, title, url, text. */
import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import {
  type CitationList,
  type CitationListName,
  citationCursorPattern,
  citationListNames,
  parseCitationCursor,
} from '../search/papers/citation-lists.ts';
import type { PaperWithLists } from '../search/papers/find-paper.ts';
import type { Backend } from './backend.ts';
import { paperLink } from './paper-uri.ts';
import { readOnly } from './read-only.ts';
import { priceOf } from './tool-price.ts';
import { DATA_NOTICE, toolOf } from './tool-result.ts';
import { visibleText } from './visible-text.ts';

const inputSchema = fromJsonSchema<{
  id: string;
  citations?: CitationListName;
  cursor?: string;
}>({
  type: 'object',
  properties: {
    id: { type: 'string', description: 'id of a result, DOI, arXiv id, or PMID' },
    citations: { enum: citationListNames },
    cursor: { type: 'string', pattern: citationCursorPattern, description: 'Of citations' },
  },
  required: ['id'],
  additionalProperties: false,
});

const outputSchema = fromJsonSchema({
  type: 'object',
  properties: {
    id: { type: 'string' },
    title: { type: 'string' },
    url: { type: 'string' },
    text: { type: 'string', description: 'The abstract, or the title if has_abstract is false' },
    has_abstract: { type: 'boolean' },
    year: { type: 'integer', description: 'Absent if unknown' },
    authors: { type: 'array', items: { type: 'string' } },
    venue: { type: 'string', description: 'Absent if unknown' },
    identifiers: { type: 'object', additionalProperties: { type: 'string' } },
    withheld: { type: 'string', description: 'retracted or withdrawn; absent if neither' },
    citations: {
      type: 'object',
      description: 'The newest papers first',
      properties: {
        count: { type: 'integer' },
        papers: {
          type: 'array',
          items: {
            type: 'object',
            description:
              'id, title, year, authors, withheld; or text, the printed reference, with id, title, and verdict if found',
          },
        },
        cursor: { type: 'string', description: 'Absent after the last page' },
      },
    },
    notice: { type: 'string' },
  },
  required: ['id', 'title', 'url', 'text', 'has_abstract', 'authors', 'identifiers', 'notice'],
});

/** Adds the tool to a server. */
export function addFetchTool(server: McpServer, backend: Backend): void {
  server.registerTool(
    'fetch',
    {
      title: 'Fetch a paper',
      description: `Get the abstract, authors, identifiers, and retraction status of one paper. ${priceOf(backend)}`,
      inputSchema,
      outputSchema,
      annotations: readOnly,
    },
    toolOf(async ({ id, citations: name, cursor = '' }) => {
      const after = parseCitationCursor(cursor);
      return describePaper(await backend.fetch(id, name && { name, after }));
    }),
  );
}

/** Describes a paper as the tool and the resource return it. */
export function describePaper(paper: PaperWithLists): Record<string, unknown> {
  const { id, title, abstract, year, authors, venue, identifiers, withheld, lists } = paper;
  const [list] = Object.values(lists);
  const warning = withheld === undefined ? '' : ` This paper was ${withheld}: do not rely on it.`;
  return {
    id,
    title: visibleText(title),
    url: paperLink(id),
    text: visibleText(abstract || title),
    has_abstract: abstract !== '',
    ...(year === 0 ? {} : { year }),
    authors: authors.map(visibleText),
    ...(venue === '' ? {} : { venue: visibleText(venue) }),
    identifiers,
    ...(withheld === undefined ? {} : { withheld }),
    ...(list === undefined ? {} : { citations: describeList(list) }),
    notice: `${DATA_NOTICE}${warning}`,
  };
}

function describeList({ count, papers = [], cursor }: CitationList): Record<string, unknown> {
  return {
    count,
    papers: papers.map((paper) => {
      if ('text' in paper) {
        const { d, t, verdict, text } = paper;
        const found = d && { id: d, title: visibleText(t ?? ''), verdict };
        return { ...found, text: visibleText(text) };
      }
      if (!('t' in paper)) return { id: paper.d };
      const { d, t, y, a, retraction } = paper;
      return {
        id: d,
        title: visibleText(t),
        ...(y === 0 ? {} : { year: y }),
        authors: a.map(visibleText),
        ...(retraction === undefined ? {} : { withheld: retraction.kind }),
      };
    }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}
