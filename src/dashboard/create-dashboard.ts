/** Puts together what the pages stand on. */
import { isSecure } from '../accounts/cookies.ts';
import { baseUrl } from '../accounts/links.ts';
import type { AccountParts } from '../accounts/parts.ts';
import type { AnswerPage, ServiceParts } from '../http/parts.ts';
import { answerPages } from './answer-pages.ts';
import { loadAssets } from './assets.ts';
import { createOnce } from './once.ts';
import type { DashboardParts } from './parts.ts';
import { createShelf } from './shelf.ts';
import { createTriedSearches } from './tried-searches.ts';

export interface DashboardOptions {
  accounts: AccountParts;
  service: ServiceParts;
  /** The port that is listened on, once it is known. */
  port: () => number;
}

export interface Dashboard {
  answerPage: AnswerPage;
  /** Gives back and forgets what waits to be shown. */
  close(): void;
}

export function createDashboard({ accounts, service, port }: DashboardOptions): Dashboard {
  const { settings } = accounts;
  const tried = createTriedSearches(settings);
  const newKeys: DashboardParts['newKeys'] = createShelf({
    valuesMax: settings.newSecretsMax,
    valuesPerOwnerMax: settings.newSecretsPerCustomerMax,
    lifetimeMs: settings.newSecretsShownMs,
  });
  const parts: DashboardParts = {
    ...{ service, accounts, newKeys, tried },
    keyForms: createOnce({
      formsMax: settings.newSecretsMax,
      formsPerOwnerMax: settings.newSecretsPerCustomerMax,
      lifetimeMs: settings.newSecretsShownMs,
    }),
    assets: loadAssets(),
    baseUrl: () => baseUrl({ ...settings, port: port() }),
    isSecure: isSecure(settings),
  };
  return {
    answerPage: answerPages(parts),
    close() {
      tried.close();
      newKeys.clear();
    },
  };
}
