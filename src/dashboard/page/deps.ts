/** What the pages stand on; `verbatim serve` puts it together. */
import type { AccountDeps } from '../../accounts/deps.ts';
import type { ServiceDeps } from '../../http/deps.ts';
import type { CreatedKey } from '../../store/accounts/keys.ts';
import type { Assets } from './assets.ts';
import type { Shelf } from './expiring-store.ts';
import type { Once } from './submit-once.ts';
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
  newKeys: Shelf<CreatedKey>;
  /** Forms that make a key, and the path of the page that shows its secret. */
  keyForms: Once<string>;
  /** Searches of the page Try it between the form and the page that shows them. */
  tried: TriedSearches;
}
