/** The dependencies of this folder. create-oauth.ts builds them. */
import type { AccountDeps } from '../../accounts/account-deps.ts';
import type { GrantLimits } from '../../accounts/sql/client-grants.ts';
import type { ServiceDeps } from '../service-deps.ts';
import type { ClientReader } from './read-client.ts';

export interface OAuthDeps {
  accounts: AccountDeps;
  service: ServiceDeps;
  clients: ClientReader;
  limits: GrantLimits;
  /** The issuer: the service's address, without a trailing slash. */
  baseUrl: () => string;
}
