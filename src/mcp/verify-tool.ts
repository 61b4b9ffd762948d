/** The tool `verify`: whether quotes and references are real. */
import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import { tokenBudget } from '../http/search-fields.ts';
import { ITEMS_PER_CREDIT, parseVerifyFields, VERIFY_ITEMS_MAX } from '../http/validate-verify.ts';
import { assessments } from '../verify/references/assess-references.ts';
import type { Backend } from './backend.ts';
import { readOnly } from './read-only.ts';
import { priceOf } from './tool-price.ts';
import { DATA_NOTICE, toolOf } from './tool-result.ts';
import { describeVerified } from './verified-items.ts';

interface VerifyArguments {
  items: unknown[];
  lanes?: string;
  max_tokens?: number;
}

/** Some clients know schemas with one type only, so the two stand side by side. */
const textOrObject = [{ type: 'string' }, { type: 'object' }];

const inputSchema = fromJsonSchema<VerifyArguments>({
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
    max_tokens: { type: 'integer' },
  },
  required: ['items'],
  additionalProperties: false,
});

const outputSchema = fromJsonSchema({
  type: 'object',
  properties: {
    items: {
      type: 'array',
      description: 'The doubtful first. Of a match, and of an exact quote, only the id',
      items: {
        type: 'object',
        properties: {
          item: { type: 'integer', description: 'Its number in the request, from 1' },
          cited: { type: 'string', description: 'How the reference begins' },
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
            description: 'Fields of the reference that no record has, beside the record',
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
        required: ['item', 'kind', 'verdict'],
      },
    },
    shortened: { type: 'integer', description: 'Items whose details max_tokens left out' },
    dropped: { type: 'integer', description: 'Items that max_tokens left out' },
    notice: { type: 'string' },
  },
  required: ['items', 'notice'],
});

/** The tokens of all items, where a call does not say. A hundred verdicts without details take 2,500. */
const TOKENS_DEFAULT = 4_000;

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
    toolOf(async ({ max_tokens: tokens = TOKENS_DEFAULT, ...fields }) => {
      const tokensMax = tokenBudget.parse(tokens, 'max_tokens');
      const request = parseVerifyFields({ ...fields, include: 'assessment' });
      const results = await backend.verify(request);
      const { items, shortened, dropped } = describeVerified(request.items, results, tokensMax);
      return {
        items,
        ...(shortened > 0 && { shortened }),
        ...(dropped > 0 && { dropped }),
        notice: `${COVERAGE} ${DATA_NOTICE}`,
      };
    }),
  );
}
