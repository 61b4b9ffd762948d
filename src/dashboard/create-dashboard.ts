/** Builds the dependencies of the pages. */

import type { AccountDeps } from '../accounts/account-deps.ts';
import { isSecure } from '../accounts/cookies.ts';
import { detailsOf, VerbatimError } from '../errors.ts';
import type { OAuthDeps } from '../http/oauth/oauth-deps.ts';
import type { RespondToPage, ServiceDeps } from '../http/service-deps.ts';
import { isClose } from '../search/is-close.ts';
import { loadAssets } from './page/assets.ts';
import type { DashboardDeps } from './page/dashboard-deps.ts';
import { createDownloadSlots } from './page/download-slots.ts';
import { createExpiringStore } from './page/expiring-store.ts';
import { createIndexFigures, type IndexFiguresReader } from './page/index-figures.ts';
import { createSubmitOnce } from './page/submit-once.ts';
import { createTriedSearches } from './page/tried-searches.ts';
import { respondToPages } from './respond-to-pages.ts';

export interface DashboardOptions {
  accounts: AccountDeps;
  service: ServiceDeps;
  /** Undefined if customers cannot connect clients. */
  oauth: OAuthDeps | undefined;
  /** The service's address, without a trailing slash, once the server listens. */
  baseUrl: () => string;
}

export interface Dashboard {
  respondToPage: RespondToPage;
  /** Releases the credit of searches that were not shown, and drops the secrets. */
  close(): void;
}

export function createDashboard(options: DashboardOptions): Dashboard {
  const { accounts, service, oauth, baseUrl } = options;
  const { settings } = accounts;
  const tried = createTriedSearches(settings);
  const secretLimits = {
    valuesMax: settings.newSecretsMax,
    valuesPerOwnerMax: settings.newSecretsPerCustomerMax,
  };
  const shownOnce = { ...secretLimits, lifetimeMs: settings.newSecretsShownMs };
  const newKeys: DashboardDeps['newKeys'] = createExpiringStore(shownOnce);
  const recoveryCodes: DashboardDeps['recoveryCodes'] = createExpiringStore(shownOnce);
  const invitations: DashboardDeps['invitations'] = createExpiringStore(shownOnce);
  const factorSetUps: DashboardDeps['factorSetUps'] = createExpiringStore({
    ...secretLimits,
    lifetimeMs: settings.secondFactorSetUpMs,
  });
  const keptForms: DashboardDeps['keptForms'] = createExpiringStore({
    valuesMax: settings.keptFormsMax,
    valuesPerOwnerMax: settings.keptFormsMax,
    lifetimeMs: settings.keptFormMs,
  });
  const deps: DashboardDeps = {
    service,
    accounts,
    oauth,
    newKeys,
    factorSetUps,
    recoveryCodes,
    invitations,
    keptForms,
    tried,
    indexFigures: openIndexFigures(service, settings),
    keyForms: createSubmitOnce({
      formsMax: settings.newSecretsMax,
      formsPerOwnerMax: settings.newSecretsPerCustomerMax,
      lifetimeMs: settings.newSecretsShownMs,
    }),
    tryForms: createSubmitOnce({
      formsMax: settings.triedSearchesMax,
      formsPerOwnerMax: settings.triedSearchesPerCustomerMax,
      lifetimeMs: settings.triedSearchesShownMs,
    }),
    downloads: createDownloadSlots(settings),
    assets: loadAssets(),
    baseUrl,
    isSecure: isSecure(settings),
  };
  return {
    respondToPage: respondToPages(deps),
    close() {
      tried.close();
      for (const secrets of [newKeys, factorSetUps, recoveryCodes, invitations]) secrets.clear();
      keptForms.clear();
    },
  };
}

function openIndexFigures(
  service: ServiceDeps,
  settings: AccountDeps['settings'],
): IndexFiguresReader {
  return createIndexFigures({
    ...service,
    question: settings.frontPageQuestion,
    isClose: (c) => isClose(c, settings),
    everyMs: settings.indexFiguresEveryMs,
    waitMs: settings.frontPageWaitMs,
    onFailure(error) {
      // A busy or stopping server has no time for this.
      if (error instanceof VerbatimError && error.isForCustomers) return;
      service.log.error('index_figures_failed', { reason: detailsOf(error) });
    },
  });
}
