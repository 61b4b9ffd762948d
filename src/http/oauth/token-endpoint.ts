/** POST /oauth/token: exchanges a code for tokens, and a refresh token for new ones. */
import { createHash } from 'node:crypto';
import type { Issued } from '../../accounts/sql/client-grants.ts';
import { VerbatimError } from '../../errors.ts';
import { assertAllowed } from '../authenticate.ts';
import type { HttpRequest } from '../messages.ts';
import { jsonResponse, type TextResponse } from '../responses.ts';
import { isResource } from './authorization.ts';
import { resourceOf } from './metadata.ts';
import type { OAuthDeps } from './oauth-deps.ts';
import { readTokenForm, rejectionResponse, required, TokenRejection } from './token-request.ts';

/** RFC 7636, section 4.1. */
const VERIFIER_FORM = /^[\w\-.~]{43,128}$/;

/** Throws the expected errors of bodies, `rate_limited`, and those of a busy ledger. */
export async function tokenEndpoint(deps: OAuthDeps, request: HttpRequest): Promise<TextResponse> {
  try {
    const form = await readTokenForm(request, deps.service.settings);
    const grantType = required(form, 'grant_type');
    const resource = resourceOf(deps.baseUrl());
    if (!isResource(form, resource)) {
      throw new TokenRejection('invalid_target', `resource must be ${resource}`);
    }
    const issued = await issue(deps, form, grantType);
    if (issued === undefined) {
      throw new TokenRejection(
        'invalid_grant',
        'it has expired, was used, or is of another client',
      );
    }
    return jsonResponse(200, {
      access_token: issued.access,
      token_type: 'Bearer',
      expires_in: Math.floor(deps.limits.accessTokenMs / 1000),
      refresh_token: issued.refresh,
    });
  } catch (error) {
    return rejectionResponse(error);
  }
}

function issue(deps: OAuthDeps, form: URLSearchParams, grantType: string): Promise<Issued> {
  if (grantType === 'authorization_code') return redeem(deps, form);
  if (grantType === 'refresh_token') return refresh(deps, form);
  const message = 'grant_type must be authorization_code or refresh_token';
  throw new TokenRejection('unsupported_grant_type', message);
}

async function redeem(deps: OAuthDeps, form: URLSearchParams): Promise<Issued> {
  const { accounts, limits } = deps;
  const code = required(form, 'code');
  const clientId = required(form, 'client_id');
  const redirectUri = required(form, 'redirect_uri');
  const verifier = required(form, 'code_verifier');
  if (!VERIFIER_FORM.test(verifier)) {
    throw new TokenRejection('invalid_request', 'code_verifier must be 43 to 128 plain characters');
  }
  // A read, so that strangers cannot keep the ledger busy.
  if (!(await accounts.store.isKnownCode(code))) return undefined;
  const codeChallenge = createHash('sha256').update(verifier).digest('base64url');
  const now = accounts.now();
  try {
    const asked = { code, clientId, redirectUri, codeChallenge };
    return await accounts.store.redeemCode({ ...asked, limits, now });
  } catch (error) {
    if (!(error instanceof VerbatimError) || error.code !== 'bad_request') throw error;
    throw new TokenRejection('invalid_grant', error.message);
  }
}

async function refresh(deps: OAuthDeps, form: URLSearchParams): Promise<Issued> {
  const { store, now } = deps.accounts;
  const token = required(form, 'refresh_token');
  const clientId = required(form, 'client_id');
  const key = await store.keyOfRefreshToken(token);
  if (key === undefined) return undefined;
  for (const rate of await store.takeRates(key, { count: 1, now: now() })) assertAllowed(rate);
  return await store.refreshGrant({ token, clientId, limits: deps.limits, now: now() });
}
