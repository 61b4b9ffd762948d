/**
 * Normalizes identifiers: many spellings of each scheme become one form (see `Identifiers`), which
 * also gives a document its id. Records, files, lanes and search results compare nothing else. Pure.
 */
import type { DocumentId, Identifiers } from '../types.ts';

export type Scheme = keyof Identifiers;

/** Identifiers as a source wrote them, in any spelling and type. */
export type WrittenIdentifiers = Partial<Record<Scheme, unknown>>;

const normalizers: Record<Scheme, (text: string) => string> = {
  doi: normalizeDoi,
  arxiv: normalizeArxiv,
  pmid: (text) => leading(text, /^(?:pmid|medline)?:?\s*0*([1-9]\d{0,9})$/i),
  pmcid: (text) => withPrefix('PMC', leading(text, /^(?:pmc(?:id)?:?\s*)*(\d{1,10})(?:\.\d+)?$/i)),
  acl: normalizeAcl,
  openalex: (text) => withPrefix('W', leading(text, /^(?:openalex:\s*)?w(\d{1,12})$/i)),
  s2: (text) => leading(text, /^(?:corpus_?id:?\s*)?0*([1-9]\d{0,14})$/i),
};

/** A longer text is not an identifier, whatever it starts with. */
const IDENTIFIER_CHARACTERS_MAX = 2_000;

/** All schemes, in order of preference: a document's id is the first of these that it has. */
export const schemes = ['doi', 'arxiv', 'pmid', 'pmcid', 'acl', 'openalex', 's2'] as const;

/** The prefix of a document id of the scheme. */
const idPrefixes: Partial<Record<Scheme, string>> = {
  arxiv: 'arXiv:',
  pmid: 'PMID:',
  acl: 'ACL:',
  s2: 'CorpusId:',
};

/** How an id of the scheme may begin. A bare number could be of any scheme. */
const idBeginnings: Record<Scheme, RegExp> = {
  doi: /^/,
  arxiv: /^/,
  pmid: /^pmid:/i,
  pmcid: /^pmc/i,
  acl: /^acl:/i,
  s2: /^corpusid:/i,
  openalex: /^(?:openalex:|https?:\/\/(?:api\.)?openalex\.org\/(?:works\/)?)?w/i,
};

const RESOLVER = /^(?:info:doi\/|(?:https?:\/\/)?(?:[\w.-]*\bdoi\.org|doi\.acm\.org)\/)/i;

/** The address of an arXiv page. Anchored, because other addresses may contain such an address. */
const ARXIV_ADDRESS =
  /^(?:oai:|(?:https?:\/\/)?(?:[\w-]+\.)*)arxiv\.org(?:\/(?:abs|pdf|html|format)\/|:)/i;

/** A registrant, and perhaps the first characters of what it has named. */
export const DOI_PREFIX = /^10\.\d{4,9}(?:\.\d+)*(?:\/\S*)?$/;

/** The DOIs that arXiv registers, which contain the arXiv id. */
export const ARXIV_DOI = /^10\.48550\/arxiv\.(.+)$/i;

/**
 * The identifiers among these values, in their normal forms. Leaves out values that are not valid in
 * their scheme, because a wrong identifier must not cost the paper. Takes a missing arXiv or ACL
 * Anthology id from the DOI if that contains one.
 */
export function identifiersOf(values: WrittenIdentifiers): Identifiers {
  const found: Identifiers = {};
  for (const scheme of schemes) {
    const value = values[scheme];
    // Beyond 2^53 a number has been rounded and may be another paper's.
    const text = Number.isSafeInteger(value) ? String(value) : value;
    const isText = typeof text === 'string' && text.length <= IDENTIFIER_CHARACTERS_MAX;
    const normal = isText ? normalizers[scheme](text) : '';
    if (normal !== '') found[scheme] = normal;
  }
  const { doi = '' } = found;
  const arxiv = ARXIV_DOI.test(doi) ? normalizeArxiv(doi) : '';
  if (arxiv !== '') found.arxiv ??= arxiv;
  const acl = /^10\.18653\/v1\//.test(doi) ? normalizeAcl(doi) : '';
  if (acl !== '') found.acl ??= acl;
  return found;
}

/** The id of a document, from the first of `schemes` that it has, or `ownId` if it has none. */
export function documentIdOf(identifiers: Identifiers, ownId = ''): DocumentId {
  const scheme = schemes.find((each) => identifiers[each] !== undefined);
  return scheme === undefined ? ownId : `${idPrefixes[scheme] ?? ''}${identifiers[scheme]}`;
}

/** The identifiers in a document's id, in any spelling. The inverse of `documentIdOf`. */
export function identifiersInId(id: DocumentId): Identifiers {
  const possible = schemes.filter((scheme) => idBeginnings[scheme].test(id.trim()));
  return identifiersOf(Object.fromEntries(possible.map((scheme) => [scheme, id])));
}

/**
 * The normal form of a DOI: lower case, without a resolver and without trailing punctuation. Returns
 * '' if the text has no DOI.
 */
export function normalizeDoi(text: string): string {
  const [first = ''] = withoutResolver(text)
    .replace(/^(?:doi:?\s*)+/i, '')
    .split(/\s/);
  // Invisible characters come from copying.
  const doi = withoutTrailingPunctuation(first.replace(/\p{Cf}/gu, '')).toLowerCase();
  return /^10\.\d{4,9}(?:\.\d+)*\/[^\p{Cc}\p{Cs}]+$/u.test(doi) ? doi : '';
}

/**
 * The normal form of the beginning of a DOI: `10.1371/` for all DOIs of a registrant, `10.1371/journal.pone`.
 * Returns undefined for any other text.
 */
export function doiPrefixOf(text: string): string | undefined {
  const prefix = text.trim().toLowerCase();
  if (!DOI_PREFIX.test(prefix)) return undefined;
  // Without the slash, 10.1371 would begin 10.13711, too.
  return prefix.includes('/') ? prefix : `${prefix}/`;
}

/** Decodes percent escapes, which only addresses have, as in `(SICI)...%3C1::AID`. */
function withoutResolver(text: string): string {
  const own = text.trim();
  const bare = own.replace(RESOLVER, '');
  return bare !== own || /^10\.[\d.]+%2f/i.test(bare) ? decodePercent(bare) : bare;
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A closing bracket belongs to the DOI if it is opened there: `10.1016/s0140-6736(05)67889-5`. */
function withoutTrailingPunctuation(text: string): string {
  let end = text.length;
  for (; end > 0; end--) {
    const last = text.charAt(end - 1);
    const opener = { ')': '(', ']': '[', '>': '<', '}': '{' }[last];
    const isStray = opener !== undefined && !text.slice(0, end).includes(opener);
    if (!isStray && !/[.,;:'"’”]/.test(last)) break;
  }
  return text.slice(0, end);
}

/** Reads `arXiv:2401.00001v2`, `math.GT/0309136`, the DOI, and the address of the page or PDF. */
function normalizeArxiv(text: string): string {
  const bare = withoutResolver(text)
    .replace(ARXIV_ADDRESS, '')
    .replace(ARXIV_DOI, '$1')
    .replace(/[?#].*$/, '')
    .replace(/^(?:arxiv:?\s*)+/i, '')
    .replace(/(?:v\d+)?(?:\.pdf)?\/?$/i, '');
  if (/^\d{4}\.\d{4,5}$/.test(bare)) return bare;
  // The subject class of the old form, such as GT, is not part of the id.
  const [, archive, number] = /^([a-z-]+)(?:\.[a-z-]{2,})?\/(\d{7})$/i.exec(bare) ?? [];
  return archive === undefined ? '' : `${archive.toLowerCase()}/${number}`;
}

function normalizeAcl(text: string): string {
  const bare = withoutAddress(text)
    .replace(/^acl:\s*/i, '')
    .replace(/(?:v\d+)?(?:\.(?:pdf|bib|xml))?$/i, '');
  if (/^[a-z]\d{2}-\d{4,5}$/i.test(bare)) return bare.toUpperCase();
  return /^\d{4}\.\w+-\w+\.\d+$/.test(bare) ? bare.toLowerCase() : '';
}

/** The pattern's first group, matched against the text or the last part of an address. */
function leading(text: string, pattern: RegExp): string {
  return pattern.exec(withoutAddress(text))?.[1] ?? '';
}

/** The last part of the path of an address or of an ACL DOI. */
function withoutAddress(text: string): string {
  return text
    .trim()
    .replace(/\/$/, '')
    .replace(/^(?:https?:\/\/|10\.18653\/).*\//i, '');
}

function withPrefix(prefix: string, digits: string): string {
  return digits === '' ? '' : prefix + digits;
}
