/** The fields of a filter, in the order of the documentation. Pure. */
import { DOI_PREFIX, doiPrefixOf } from '../identity/identifiers.ts';
import { isMistypedOrcid } from '../identity/orcid.ts';
import { CITATIONS_MAX } from '../index/facets/facets.ts';
import { type PaperType, paperTypes, type SearchFilter } from '../types.ts';
import { asObject, badRequest, describeUnknown } from './field-errors.ts';
import {
  type FieldKind,
  idList,
  integer,
  oneOrMore,
  oneOrMoreOf,
  parseFields,
  type RequestFields,
  schemaOf,
  yesOrNo,
} from './field-kinds.ts';

/** Ids that a field may have, and the length of each. */
export const idLimits = { most: 200, charactersMax: 2000 };
const nameLimits = { most: 50, charactersMax: 500 };
const names = oneOrMore(nameLimits);
const YEAR_MAX = 9999;
const year = integer(1, YEAR_MAX);

const ends: RequestFields<{ from?: number; to?: number }> = {
  from: ['from', year],
  to: ['to', year],
};

const years: FieldKind<{ from: number; to: number }> = {
  schema: { ...schemaOf(ends), minProperties: 1 },
  parse(value, name) {
    const { from, to } = parseFields(asObject(value, name), ends, name, `${name}.`);
    if (from === undefined && to === undefined) {
      throw badRequest(`${name}: expected from, to or both, got neither`);
    }
    if ((from ?? 0) > (to ?? YEAR_MAX)) {
      throw badRequest(`${name}: expected from to be at most to, got ${from} and ${to}`);
    }
    return { from: from ?? 1, to: to ?? YEAR_MAX };
  },
};

const types: FieldKind<PaperType[]> = {
  schema: oneOrMoreOf({ type: 'string', enum: paperTypes }, paperTypes.length),
  parse(value, name) {
    return names.parse(value, name).map((text) => {
      const type = paperTypes.find((known) => known === text);
      if (type !== undefined) return type;
      throw badRequest(`${name}: unknown type ${describeUnknown(text, paperTypes)}`);
    });
  },
};

const authors: FieldKind<string[]> = {
  schema: names.schema,
  parse(value, name) {
    const parsed = names.parse(value, name);
    const mistyped = parsed.find(isMistypedOrcid);
    if (mistyped === undefined) return parsed;
    throw badRequest(`${name}: the ORCID ${mistyped.slice(0, 64)} has a wrong check digit`);
  },
};

const doiPrefixes: FieldKind<string[]> = {
  schema: oneOrMoreOf(
    { type: 'string', pattern: DOI_PREFIX.source, maxLength: nameLimits.charactersMax },
    nameLimits.most,
  ),
  parse(value, name) {
    return names.parse(value, name).map((text) => {
      const prefix = doiPrefixOf(text);
      if (prefix !== undefined) return prefix;
      const expected = 'the beginning of a DOI, such as 10.1371 or 10.1371/journal.pone';
      throw badRequest(`${name}: expected ${expected}, got "${text.slice(0, 64)}"`);
    });
  },
};

export const filterFields: RequestFields<SearchFilter> = {
  year: ['years', years],
  venue: ['venues', names],
  author: ['authors', authors],
  doi_prefix: ['doiPrefixes', doiPrefixes],
  ids: ['ids', idList(idLimits)],
  has_abstract: ['hasAbstract', yesOrNo],
  source: ['sources', names],
  type: ['types', types],
  open_access: ['openAccess', yesOrNo],
  min_citations: ['minCitations', integer(1, CITATIONS_MAX)],
  cites: ['cites', idList(idLimits)],
  cited_by: ['citedBy', idList(idLimits)],
};

/** A filter. One without fields allows everything: it counts as absent. */
export const filterKind: FieldKind<SearchFilter | undefined> = {
  schema: { $ref: '#/components/schemas/Filter' },
  parse(value, name) {
    const filter = parseFields(asObject(value, name), filterFields, name, `${name}.`);
    return Object.keys(filter).length === 0 ? undefined : filter;
  },
};
