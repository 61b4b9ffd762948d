/**
 * The authorization request: what a client asks for, and the addresses that answer it (RFC 6749,
 * section 4.1, with RFC 7636, RFC 8707, and RFC 9207).
 */
import { VerbatimError } from '../../errors.ts';
import type { Client } from './client-metadata.ts';
import { resourceOf } from './metadata.ts';
import type { ClientReader } from './read-client.ts';
import { matchesRedirect } from './redirect-uri.ts';

/** A valid request. */
export interface Authorization {
  client: Client;
  redirectUri: string;
  /** The client's own value, which it gets back. */
  state: string | undefined;
  codeChallenge: string;
}

/** A request that is wrong, of a client that may be told so. */
export interface InvalidRequest {
  client: Client;
  redirectUri: string;
  /** What is wrong. */
  reason: string;
  /** The address that tells the client. */
  answer: URL;
}

/** The error codes of RFC 6749, section 4.1.2.1, and RFC 8707, section 2. */
type AuthorizationError =
  | 'invalid_request'
  | 'unsupported_response_type'
  | 'invalid_target'
  | 'access_denied';

/** SHA-256 in base64url without padding. */
const CHALLENGE_FORM = /^[\w-]{43}$/;

export interface AuthorizationOptions {
  clients: ClientReader;
  baseUrl: string;
  customerId: number;
}

/**
 * Reads a request. Throws `bad_request` if there is no client, or none to which the customer may
 * return: only the customer is told.
 */
export async function readAuthorization(
  query: URLSearchParams,
  { clients, baseUrl, customerId }: AuthorizationOptions,
): Promise<Authorization | InvalidRequest> {
  const client = await clients.read(onlyValue(query, 'client_id'), customerId);
  const redirectUri = onlyValue(query, 'redirect_uri');
  if (!client.redirectUris.some((registered) => matchesRedirect(redirectUri, registered))) {
    const message = `the parameter redirect_uri is not one that ${client.host} lists for this client`;
    throw new VerbatimError('bad_request', message);
  }
  const [state] = query.getAll('state');
  const asked = { redirectUri, state, baseUrl };
  const refusal = findError(query, baseUrl);
  if (refusal !== undefined) {
    return { client, redirectUri, reason: refusal[1], answer: refuse(asked, ...refusal) };
  }
  return { client, redirectUri, state, codeChallenge: query.get('code_challenge') ?? '' };
}

/** Throws `bad_request` unless the parameter is there once. */
function onlyValue(query: URLSearchParams, name: string): string {
  const [value, ...others] = query.getAll(name);
  if (value !== undefined && value !== '' && others.length === 0) return value;
  const what = others.length > 0 ? 'is there twice' : 'is missing';
  throw new VerbatimError('bad_request', `the parameter ${name} ${what}`);
}

function findError(
  query: URLSearchParams,
  baseUrl: string,
): [AuthorizationError, string] | undefined {
  const once = ['response_type', 'state', 'code_challenge', 'code_challenge_method'];
  const twice = once.find((name) => query.getAll(name).length > 1);
  if (twice !== undefined) return ['invalid_request', `${twice} is there twice`];
  if (query.get('response_type') !== 'code') {
    return ['unsupported_response_type', 'response_type must be code'];
  }
  if (query.get('code_challenge_method') !== 'S256') {
    return ['invalid_request', 'code_challenge_method must be S256'];
  }
  if (!CHALLENGE_FORM.test(query.get('code_challenge') ?? '')) {
    return ['invalid_request', 'code_challenge must be a SHA-256 in base64url'];
  }
  const resource = resourceOf(baseUrl);
  if (!isResource(query, resource)) return ['invalid_target', `resource must be ${resource}`];
  return undefined;
}

/** Whether the request names this resource, or none: there is no other. */
export function isResource(parameters: URLSearchParams, resource: string): boolean {
  const named = parameters.getAll('resource');
  return named.length <= 1 && (named[0] ?? resource) === resource;
}

/** What every answer needs. */
interface Asked {
  redirectUri: string;
  state: string | undefined;
  baseUrl: string;
}

/** Returns the address that gives the client its code. */
export function accept(asked: Asked, code: string): URL {
  return answer(asked, { code });
}

/** Returns the address that tells the client why it gets no code. */
export function refuse(asked: Asked, error: AuthorizationError, description: string): URL {
  return answer(asked, { error, error_description: description });
}

/** `iss` names the server, so that the client cannot be led to mix up two (RFC 9207). */
function answer(
  { redirectUri, state, baseUrl }: Asked,
  parameters: Readonly<Record<string, string>>,
): URL {
  const url = new URL(redirectUri);
  const all = { ...parameters, ...(state === undefined ? {} : { state }), iss: baseUrl };
  for (const [name, value] of Object.entries(all)) url.searchParams.append(name, value);
  return url;
}
