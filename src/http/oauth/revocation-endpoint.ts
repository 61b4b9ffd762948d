/** POST /oauth/revoke: a client gives up its access (RFC 7009). Its key is revoked with it. */
import type { HttpRequest } from '../messages.ts';
import { jsonResponse, type TextResponse } from '../responses.ts';
import type { OAuthDeps } from './oauth-deps.ts';
import { readTokenForm, rejectionResponse, required } from './token-request.ts';

/** Answers 200 for unknown tokens, too: they give no access. */
export async function revocationEndpoint(
  { accounts, service }: OAuthDeps,
  request: HttpRequest,
): Promise<TextResponse> {
  try {
    const form = await readTokenForm(request, service.settings);
    const token = required(form, 'token');
    const clientId = required(form, 'client_id');
    if (await accounts.store.isTokenOfGrant(token)) {
      await accounts.store.revokeToken({ token, clientId, now: accounts.now() });
    }
    return jsonResponse(200, {});
  } catch (error) {
    return rejectionResponse(error);
  }
}
