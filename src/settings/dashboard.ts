/** Settings of the dashboard's pages. */
import type { SettingsPart } from './setting.ts';

export const dashboardSettings = {
  newSecretsShownMs: {
    variable: 'VERBATIM_NEW_SECRETS_SHOWN_MS',
    value: 120_000,
    help: 'wait of a new key’s secret for the page that shows it, once',
  },
  newSecretsMax: {
    variable: 'VERBATIM_NEW_SECRETS_MAX',
    value: 1_000,
    help: 'new secrets that wait to be shown at a time',
  },
  newSecretsPerCustomerMax: {
    variable: 'VERBATIM_NEW_SECRETS_PER_CUSTOMER_MAX',
    value: 20,
    help: 'the same of one customer; one more takes the place of their oldest',
  },
  triedSearchesShownMs: {
    variable: 'VERBATIM_TRIED_SEARCHES_SHOWN_MS',
    value: 600_000,
    help: 'time that a search of the page Try it can be looked at',
  },
  triedSearchFetchMs: {
    variable: 'VERBATIM_TRIED_SEARCH_FETCH_MS',
    value: 30_000,
    help: 'wait of such a search to be fetched; after it the credit is given back',
  },
  triedSearchesMax: {
    variable: 'VERBATIM_TRIED_SEARCHES_MAX',
    value: 200,
    help: 'searches of the page Try it that are kept at a time',
  },
  triedSearchesPerCustomerMax: {
    variable: 'VERBATIM_TRIED_SEARCHES_PER_CUSTOMER_MAX',
    value: 10,
    help: 'the same of one customer; one more takes the place of their oldest',
  },
} as const satisfies SettingsPart;
