/** Builds the dependencies of the pages. */

import type { AccountDeps } from '../accounts/account-deps.ts';
import { isSecure } from '../accounts/cookies.ts';
import { baseUrl } from '../accounts/links.ts';
import type { RespondToPage, ServiceDeps } from '../http/service-deps.ts';
import { loadAssets } from './page/assets.ts';
import type { DashboardDeps } from './page/dashboard-deps.ts';
import { createExpiringStore } from './page/expiring-store.ts';
import { createSubmitOnce } from './page/submit-once.ts';
import { createTriedSearches } from './page/tried-searches.ts';
import { respondToPages } from './respond-to-pages.ts';

export interface DashboardOptions {
  accounts: AccountDeps;
  service: ServiceDeps;
  /** The actual port, once the server listens. */
  port: () => number;
}

export interface Dashboard {
  respondToPage: RespondToPage;
  /** Releases the credit of searches that were not shown, and drops the secrets. */
  close(): void;
}

export function createDashboard({ accounts, service, port }: DashboardOptions): Dashboard {
  const { settings } = accounts;
  const tried = createTriedSearches(settings);
  const newKeys: DashboardDeps['newKeys'] = createExpiringStore({
    valuesMax: settings.newSecretsMax,
    valuesPerOwnerMax: settings.newSecretsPerCustomerMax,
    lifetimeMs: settings.newSecretsShownMs,
  });
  const deps: DashboardDeps = {
    service,
    accounts,
    newKeys,
    tried,
    keyForms: createSubmitOnce({
      formsMax: settings.newSecretsMax,
      formsPerOwnerMax: settings.newSecretsPerCustomerMax,
      lifetimeMs: settings.newSecretsShownMs,
    }),
    assets: loadAssets(),
    baseUrl: () => baseUrl({ ...settings, port: port() }),
    isSecure: isSecure(settings),
  };
  return {
    respondToPage: respondToPages(deps),
    close() {
      tried.close();
      newKeys.clear();
    },
  };
}
