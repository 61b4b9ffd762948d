/** What the pages stand on; `verbatim serve` puts it together. */
import type { AccountDeps } from '../../accounts/account-deps.ts';
import type { ServiceDeps } from '../../http/service-deps.ts';
import type { CreatedKey } from '../../store/accounts/api-keys.ts';
import type { Assets } from './assets.ts';
import type { ExpiringStore } from './expiring-store.ts';
import type { SubmitOnce } from './submit-once.ts';
import type { TriedSearches } from './tried-searches.ts';

export interface DashboardDeps {
  service: ServiceDeps;
  accounts: AccountDeps;
  assets: Assets;
  /** The address that browsers and programs use, without a slash at the end. */
  baseUrl: () => string;
  /** Whether customers come over TLS. */
  isSecure: boolean;
  /** Secrets of keys between the form that made them and the page that shows them, once. */
  newKeys: ExpiringStore<CreatedKey>;
  /** Forms that make a key, and the path of the page that shows its secret. */
  keyForms: SubmitOnce<string>;
  /** Searches of the page Try it between the form and the page that shows them. */
  tried: TriedSearches;
}
