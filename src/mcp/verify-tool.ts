/** The tool `verify`: whether quotes and references are real. */
import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import { ITEMS_PER_CREDIT, parseVerifyFields, VERIFY_ITEMS_MAX } from '../http/validate-verify.ts';
import type { VerifyResult } from '../verify/open-verify.ts';
import { assessments } from '../verify/references/assess-references.ts';
import type { Backend } from './backend.ts';
import { readOnly } from './read-only.ts';
import { priceOf } from './tool-price.ts';
import { DATA_NOTICE, toolOf } from './tool-result.ts';
import { visibleText } from './visible-text.ts';

/** Some clients know schemas with one type only, so the two stand side by side. */
const textOrObject = [{ type: 'string' }, { type: 'object' }];

const inputSchema = fromJsonSchema<{ items: unknown[]; lanes?: string }>({
  type: 'object',
  properties: {
    items: {
      type: 'array',
      maxItems: VERIFY_ITEMS_MAX,
      items: {
        type: 'object',
        properties: {
          quote: { type: 'string' },
          id: { type: 'string', description: 'The quoted paper' },
          reference: {
            anyOf: textOrObject,
            description: 'As printed, BibTeX, RIS, CSL-JSON',
          },
          references: { type: 'string', description: 'A bibliography' },
        },
      },
    },
    lanes: {
      type: 'string',
      description: 'arxiv, semantic_scholar, web, at a price',
    },
  },
  required: ['items'],
  additionalProperties: false,
});

const outputSchema = fromJsonSchema({
  type: 'object',
  properties: {
    items: {
      type: 'array',
      description: 'In the order of the request',
      items: {
        type: 'object',
        properties: {
          kind: { type: 'string', enum: ['quote', 'reference'] },
          verdict: {
            type: 'string',
            description:
              'Quote: exact, near, elsewhere, not_found, not_indexed, unreadable. Reference: match, match_unverified, match_with_errors, possible_match, conflict, not_found, unreadable',
          },
          assessment: {
            type: 'string',
            enum: assessments,
            description: 'Of a reference: cannot_tell is no suspicion',
          },
          reason: { type: 'string', description: 'What the verdict means' },
          coverage: { type: 'string', description: 'What the quote was compared with' },
          id: { type: 'string', description: 'The paper that was found' },
          title: { type: 'string' },
          other: { type: 'object', description: 'For a conflict: the paper of the title' },
          wording: { type: 'string', description: "The source's own words" },
          changes: {
            type: 'array',
            items: { type: 'object' },
            description:
              'What a near quote changed: kind (number, unit, negation, direction, join, omission, ...), quoted, wording',
          },
          fields: {
            type: 'array',
            items: { type: 'object' },
            description: 'Each field of the reference beside the record',
          },
          corrected: {
            anyOf: textOrObject,
            description: 'The reference with the right values, in its own format',
          },
          notices: {
            type: 'array',
            items: { type: 'object' },
            description: 'Retractions and corrections of the paper',
          },
          source: { type: 'string', description: 'The live source that has the paper' },
          lanes: { type: 'object', description: 'What each live source said' },
        },
        required: ['kind', 'verdict'],
      },
    },
    notice: { type: 'string' },
  },
  required: ['items', 'notice'],
});

const COVERAGE =
  'Compared with titles and abstracts of this index only: not_found and not_indexed do not prove that something is invented.';

const PRICE = `1 credit for each ${ITEMS_PER_CREDIT} items begun`;

/** Adds the tool to a server. */
export function addVerifyTool(server: McpServer, backend: Backend): void {
  server.registerTool(
    'verify',
    {
      title: 'Verify quotes and references',
      description: `Check whether quotes stand word for word in papers, and references are real. ${priceOf(backend, PRICE)}`,
      inputSchema,
      outputSchema,
      annotations: readOnly,
    },
    toolOf(async (args) => {
      const results = await backend.verify(parseVerifyFields({ ...args, include: 'assessment' }));
      const items = results.map(describeResult);
      return { items, notice: `${COVERAGE} ${DATA_NOTICE}` };
    }),
  );
}

/** Names of fields in the API, and those that all tools use for the same. */
const toolNames: Readonly<Record<string, string>> = { d: 'id', t: 'title', src: 'source' };

/** Names papers as the other tools do, at the top and for the other paper of a conflict. */
function describeResult(result: VerifyResult): Record<string, unknown> {
  const named = (fields: object): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [toolNames[name] ?? name, value]),
    );
  const described = named(result);
  if ('other' in result && result.other !== undefined) described['other'] = named(result.other);
  return visibleTexts(described) as Record<string, unknown>;
}

/** Frees all texts within a value of invisible characters. */
function visibleTexts(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (Array.isArray(value)) return value.map(visibleTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, visibleTexts(part)]),
  );
}
