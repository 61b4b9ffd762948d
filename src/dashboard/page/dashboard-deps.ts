/** The dependencies of the pages. `verbatim serve` builds them. */
import type { AccountDeps } from '../../accounts/account-deps.ts';
import type { DeliveredInvitation } from '../../accounts/members.ts';
import type { CreatedKey } from '../../accounts/sql/api-keys.ts';
import type { RotatedSecret } from '../../accounts/sql/own-keys.ts';
import type { OAuthDeps } from '../../http/oauth/oauth-deps.ts';
import type { ServiceDeps } from '../../http/service-deps.ts';
import type { Assets } from './assets.ts';
import type { DownloadSlots } from './download-slots.ts';
import type { ExpiringStore } from './expiring-store.ts';
import type { IndexFiguresReader } from './index-figures.ts';
import type { SubmitOnce } from './submit-once.ts';
import type { TriedSearches } from './tried-searches.ts';

export interface DashboardDeps {
  service: ServiceDeps;
  accounts: AccountDeps;
  /** Undefined if customers cannot connect clients. */
  oauth: OAuthDeps | undefined;
  assets: Assets;
  /** The service's address, without a trailing slash. */
  baseUrl: () => string;
  /** Whether customers connect over TLS. */
  isSecure: boolean;
  /** New secrets, between the form that creates them and the page that shows them once. */
  newKeys: ExpiringStore<CreatedKey & Partial<RotatedSecret>>;
  /** Secrets of authenticator apps that are being set up. */
  factorSetUps: ExpiringStore<Uint8Array>;
  /** New recovery codes, between the form that creates them and the page that shows them once. */
  recoveryCodes: ExpiringStore<readonly string[]>;
  /** Invitations to hand out, between the form that creates them and the page that shows them once. */
  invitations: ExpiringStore<DeliveredInvitation>;
  /** Forms that were sent without a session, until their senders have signed in. */
  keptForms: ExpiringStore<{ path: string; form: URLSearchParams }>;
  /** Makes the key form idempotent. Results are the paths of the pages that show the secret. */
  keyForms: SubmitOnce<string>;
  /** Limits downloads at the same time. */
  downloads: DownloadSlots;
  /** What the front page says about the index. */
  indexFigures: IndexFiguresReader;
  /** Searches and texts of the page Try it, between the form and the result page. */
  tried: TriedSearches;
  /** Makes the forms of the page Try it idempotent. Results are names in `tried`. */
  tryForms: SubmitOnce<string>;
}
