/** The fields of a request to verify, and the validation of its body. Pure. */
import { schemes } from '../identity/identifiers.ts';
import { codePointOffset } from '../text/code-points.ts';
import { type VerifyItem, type VerifyRequest, verifyExtras } from '../verify/open-verify.ts';
import type { QuoteItem } from '../verify/quotes/verify-quote.ts';
import { isCslItem } from '../verify/references/object-fields.ts';
import { splitReferences } from '../verify/references/printed/split-references.ts';
import type { ReferenceItem } from '../verify/references/verify-reference.ts';
import { asObject, assertNone, badRequest, isObject, wrongType } from './field-errors.ts';
import {
  commaNames,
  type FieldKind,
  kindOf,
  parseFields,
  type RequestFields,
  type Schema,
  schemaOf,
  textOf,
} from './field-kinds.ts';
import { laneChoice } from './search-fields.ts';
import { parseObject } from './validate.ts';

export const VERIFY_ITEMS_MAX = 100;
/** Items that a credit pays for. */
export const ITEMS_PER_CREDIT = 20;

/** Characters of a bibliography as one text. */
export const REFERENCES_CHARACTERS_MAX = 64_000;

/** The price of a call with this many items, in credits. */
export function verifyCredits(items: number): number {
  return Math.ceil(items / ITEMS_PER_CREDIT);
}

type Fields = Record<string, unknown>;

const quoteFields: RequestFields<QuoteItem> = {
  quote: ['quote', { ...textOf(4_000), isRequired: true }],
  id: ['id', textOf(2_000)],
};

const isText = (value: unknown): value is string => typeof value === 'string';
const text = kindOf({ type: 'string' }, 'a string', isText);

const authors = kindOf(
  { type: 'array', items: text.schema },
  'an array of strings',
  (value): value is string[] => Array.isArray(value) && value.every(isText),
);

const year = kindOf(
  { type: ['integer', 'string'], minimum: 0, maximum: 9999, pattern: '^\\d{4}$' },
  'a year as a number or four digits',
  (value): value is number | string =>
    isText(value) ? /^\d{4}$/.test(value.trim()) : isWholeNumber(value) && value <= 9999,
);

/** Of schemes whose identifiers are numbers. */
const numbered = kindOf(
  { type: ['string', 'integer'], minimum: 0 },
  'a string or a whole number',
  (value): value is number | string => isText(value) || isWholeNumber(value),
);

function isWholeNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** The plain fields that a reference may have. */
const plainFields: RequestFields<Fields> = {
  title: ['title', text],
  authors: ['authors', authors],
  year: ['year', year],
  venue: ['venue', text],
  ...Object.fromEntries(schemes.map((scheme) => [scheme, [scheme, text] as const])),
  pmid: ['pmid', numbered],
  s2: ['s2', numbered],
};

/** CSL-JSON has many fields, and reference managers add more. */
const cslItem: Schema = {
  type: 'object',
  required: ['type'],
  properties: { type: text.schema },
  additionalProperties: true,
};

const printed = textOf(20_000);

const reference: FieldKind<string | Fields> = {
  schema: { anyOf: [printed.schema, schemaOf(plainFields), cslItem] },
  isRequired: true,
  parse(value, name) {
    if (typeof value === 'string') return printed.parse(value, name);
    if (!isObject(value)) throw wrongType(name, 'a string or an object', value);
    return isCslItem(value) ? value : parseFields(value, plainFields, name, `${name}.`);
  },
};

const referenceFields: RequestFields<Pick<ReferenceItem, 'reference'>> = {
  reference: ['reference', reference],
};

/** A bibliography as one text. */
const referencesFields: RequestFields<{ references: string }> = {
  references: ['references', { ...textOf(REFERENCES_CHARACTERS_MAX), isRequired: true }],
};

export const verifyFields: RequestFields<VerifyRequest> = {
  items: [
    'items',
    {
      isRequired: true,
      schema: {
        type: 'array',
        items: {
          oneOf: [schemaOf(quoteFields), schemaOf(referenceFields), schemaOf(referencesFields)],
        },
        minItems: 1,
        maxItems: VERIFY_ITEMS_MAX,
      },
      parse: parseItems,
    },
  ],
  include: [
    'include',
    commaNames(
      verifyExtras,
      (unknown) => `unknown name "${unknown}", expected ${verifyExtras.join(', ')}`,
    ),
  ],
  lanes: ['lanes', laneChoice],
};

/** Parses a body. Throws a 400 that names the field and what was expected. */
export function parseVerifyBody(body: Uint8Array): VerifyRequest {
  return parseVerifyFields(parseObject(body));
}

/** The same for an object that was parsed already. */
export function parseVerifyFields(fields: Fields): VerifyRequest {
  return parseFields(fields, verifyFields, 'the request');
}

function parseItems(items: unknown): VerifyItem[] {
  if (!Array.isArray(items)) throw wrongType('items', 'an array', items);
  if (items.length === 0) throw badRequest('items: expected at least one item, got none');
  if (items.length > VERIFY_ITEMS_MAX) {
    const message = `items: expected at most ${VERIFY_ITEMS_MAX} items, got ${items.length}`;
    throw badRequest(message);
  }
  const parsed = items.flatMap((item: unknown, at) => parseItem(item, `items[${at}]`));
  if (parsed.length <= VERIFY_ITEMS_MAX) return parsed;
  const message = `items: expected at most ${VERIFY_ITEMS_MAX} items, got ${parsed.length}`;
  throw badRequest(message);
}

function parseItem(item: unknown, name: string): VerifyItem[] {
  const fields = asObject(item, name);
  if ('quote' in fields && 'reference' in fields) {
    throw badRequest(`${name}: expected either quote or reference, got both`);
  }
  if ('quote' in fields) return [parseFields(fields, quoteFields, name, `${name}.`)];
  if ('reference' in fields) return [parseFields(fields, referenceFields, name, `${name}.`)];
  if ('references' in fields) {
    const { references } = parseFields(fields, referencesFields, name, `${name}.`);
    return referencesIn(references, `${name}.references`);
  }
  assertNone(fields, name, ['quote', 'id', 'reference', 'references']);
  throw badRequest(`${name}: expected quote, reference, or references, got none`);
}

function referencesIn(text: string, name: string): ReferenceItem[] {
  const found = splitReferences(text);
  if (found.length === 0) throw badRequest(`${name}: expected references, found none`);
  if (found.length > VERIFY_ITEMS_MAX) {
    throw badRequest(`${name}: expected at most ${VERIFY_ITEMS_MAX}, found ${found.length}`);
  }
  return found.map(({ text: own, start, end }) => ({
    reference: own,
    place: { start: codePointOffset(text, start), end: codePointOffset(text, end) },
  }));
}
