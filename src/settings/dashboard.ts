/** Settings of the dashboard's pages. */
import type { SettingsPart } from './setting.ts';

export const dashboardSettings = {
  newSecretsShownMs: {
    kind: 'integer',
    variable: 'VERBATIM_NEW_SECRETS_SHOWN_MS',
    value: 120_000,
    unit: 'ms',
    help: 'how long the secret of a new key waits for the page that shows it once',
  },
  newSecretsMax: {
    kind: 'integer',
    variable: 'VERBATIM_NEW_SECRETS_MAX',
    value: 1_000,
    unit: 'secrets',
    help: 'new secrets that wait to be shown',
  },
  newSecretsPerCustomerMax: {
    kind: 'integer',
    variable: 'VERBATIM_NEW_SECRETS_PER_CUSTOMER_MAX',
    value: 20,
    unit: 'secrets',
    help: 'new secrets of one customer that wait; one beyond it replaces the oldest',
  },
  triedSearchesShownMs: {
    kind: 'integer',
    variable: 'VERBATIM_TRIED_SEARCHES_SHOWN_MS',
    value: 600_000,
    unit: 'ms',
    help: 'how long a search of the page Try it can be viewed',
  },
  triedSearchFetchMs: {
    kind: 'integer',
    variable: 'VERBATIM_TRIED_SEARCH_FETCH_MS',
    value: 30_000,
    unit: 'ms',
    help: 'how long such a search waits for its page to be loaded; after it, the credit is returned',
  },
  triedSearchesMax: {
    kind: 'integer',
    variable: 'VERBATIM_TRIED_SEARCHES_MAX',
    value: 200,
    unit: 'searches',
    help: 'searches of the page Try it that are kept',
  },
  triedSearchesPerCustomerMax: {
    kind: 'integer',
    variable: 'VERBATIM_TRIED_SEARCHES_PER_CUSTOMER_MAX',
    value: 10,
    unit: 'searches',
    help: 'searches of one customer that are kept; one beyond it replaces the oldest',
  },
} as const satisfies SettingsPart;
