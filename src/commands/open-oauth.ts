/** What OAuth adds to a service: access with tokens, and answers to clients. */
import type { AccountDeps } from '../accounts/account-deps.ts';
import { RESOURCE_METADATA_PATH } from '../http/oauth/metadata.ts';
import type { OAuthDeps } from '../http/oauth/oauth-deps.ts';
import type { ClientAccess, RespondToPage, ServiceDeps } from '../http/service-deps.ts';
import type { Settings } from '../settings/config.ts';

/** The service's address, without a trailing slash, once the server listens. */
type Address = () => string;

/** Returns who may call with tokens; undefined if OAuth is off. */
export function openClientAccess({ oauth }: Settings, address: Address): ClientAccess | undefined {
  return oauth ? { metadataUrl: () => `${address()}${RESOURCE_METADATA_PATH}` } : undefined;
}

/** Loads OAuth and its HTTP client if it is on. Resolves to undefined if it is off. */
export async function openOAuth(
  accounts: AccountDeps,
  service: ServiceDeps,
  baseUrl: Address,
): Promise<OAuthDeps | undefined> {
  if (!accounts.settings.oauth) return undefined;
  const { createOAuth } = await import('../http/oauth/create-oauth.ts');
  return createOAuth({ accounts, service, baseUrl });
}

/** Returns the function that responds to clients, and to browsers through `respondToPage`. */
export async function respondToClientsAnd(
  respondToPage: RespondToPage,
  oauth: OAuthDeps | undefined,
): Promise<RespondToPage> {
  if (oauth === undefined) return respondToPage;
  const { respondToClients } = await import('../http/oauth/create-oauth.ts');
  const respondToClient = respondToClients(oauth);
  return (request, requestId) =>
    respondToClient(request, requestId) ?? respondToPage(request, requestId);
}
