/**
 * Client ID Metadata Documents: the id of a client is the https address of a document that describes
 * it (draft-ietf-oauth-client-id-metadata-document-00). Pure.
 */
import { VerbatimError } from '../../errors.ts';
import { isAllowedRedirect } from './redirect-uri.ts';

/** An OAuth client. */
export interface Client {
  /** The address of its metadata. */
  id: string;
  /** What the client calls itself. Anybody may call themselves anything. */
  name: string;
  /** The host that answers for it, with the port if it is not the usual one. */
  host: string;
  redirectUris: readonly string[];
}

const ID_CHARACTERS_MAX = 500;
const CLIENT_NAME_CHARACTERS_MAX = 60;
const REDIRECT_URIS_MAX = 50;

/**
 * Returns the address of a client's metadata. `origins` may also be http. Throws `bad_request` if it
 * is no id of a client.
 */
export function parseClientId(id: string, origins: ReadonlySet<string>): URL {
  const invalidClientId = (what: string): VerbatimError =>
    refused(`the parameter client_id ${what}`);
  if (id === '') throw invalidClientId('is missing');
  if (id.length > ID_CHARACTERS_MAX || !URL.canParse(id)) {
    throw invalidClientId("must be the https address of the client's metadata");
  }
  const url = new URL(id);
  if (url.protocol !== 'https:' && !origins.has(url.origin)) {
    throw invalidClientId("must be the https address of the client's metadata");
  }
  if (url.username !== '' || url.password !== '' || id.includes('#')) {
    throw invalidClientId('must have no user name and no fragment');
  }
  // Another spelling of the same address would be another client in our tables.
  if (url.href !== id || url.pathname === '/')
    throw invalidClientId('must be a plain address with a path');
  return url;
}

/** Parses the document at the address. Throws `bad_request` with what is wrong. */
export function parseClientMetadata(url: URL, body: string): Client {
  const document = parseObject(body);
  if (document['client_id'] !== url.href) {
    throw refused(`the metadata at ${url.host} is that of another client`);
  }
  // Absent would mean `client_secret_basic` (RFC 7591, section 2), but the draft knows no secrets.
  const { token_endpoint_auth_method: method = 'none' } = document;
  if (method !== 'none') {
    throw refused('the client must use the token_endpoint_auth_method none');
  }
  assertHas(document, 'grant_types', 'authorization_code');
  assertHas(document, 'response_types', 'code');
  const uris = document['redirect_uris'];
  const isList = Array.isArray(uris) && uris.every((uri) => typeof uri === 'string');
  if (!isList || uris.length === 0 || uris.length > REDIRECT_URIS_MAX) {
    throw refused(`the client's metadata needs 1 to ${REDIRECT_URIS_MAX} redirect_uris`);
  }
  return {
    id: url.href,
    name: plainName(document['client_name']) || url.host,
    host: url.host,
    redirectUris: uris.filter(isAllowedRedirect),
  };
}

function parseObject(body: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw refused("the client's metadata is not JSON");
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw refused("the client's metadata is no object");
  }
  return parsed as Record<string, unknown>;
}

function assertHas(document: Record<string, unknown>, field: string, value: string): void {
  const values = document[field];
  if (values === undefined || (Array.isArray(values) && values.includes(value))) return;
  throw refused(`the field ${field} of the client's metadata lacks ${value}`);
}

/** Returns the name on one line, without characters that nobody sees or that turn others around. */
function plainName(name: unknown): string {
  if (typeof name !== 'string') return '';
  const plain = name
    .toWellFormed()
    .replace(/\s+/gu, ' ')
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')
    .trim();
  return [...plain].slice(0, CLIENT_NAME_CHARACTERS_MAX).join('').trim();
}

function refused(message: string): VerbatimError {
  return new VerbatimError('bad_request', message);
}
