/** Settings of the dashboard's pages. */
import { exampleQuestion } from '../example.ts';
import type { SettingsPart } from './setting.ts';

export const dashboardSettings = {
  frontPage: {
    kind: 'boolean',
    variable: 'VERBATIM_FRONT_PAGE',
    value: true,
    help: 'whether `/` shows visitors what the service is and what is indexed; otherwise, it leads to the sign-in page',
  },
  frontPageNote: {
    kind: 'text',
    variable: 'VERBATIM_FRONT_PAGE_NOTE',
    value: '',
    help: 'a line of your own on that page, as plain text',
  },
  frontPageQuestion: {
    kind: 'text',
    variable: 'VERBATIM_FRONT_PAGE_QUESTION',
    value: exampleQuestion,
    help: 'the question that the page answers as an example; without a close answer in the index, it quotes the sample',
  },
  frontPageWaitMs: {
    kind: 'integer',
    variable: 'VERBATIM_FRONT_PAGE_WAIT_MS',
    value: 2_000,
    unit: 'ms',
    help: 'how long the page waits for its first figures; after it, it is shown without them',
  },
  indexFiguresEveryMs: {
    kind: 'integer',
    variable: 'VERBATIM_INDEX_FIGURES_EVERY_MS',
    value: 60_000,
    unit: 'ms',
    help: 'shortest time between two counts of a changing index for that page',
  },
  operatorContact: {
    kind: 'text',
    variable: 'VERBATIM_OPERATOR_CONTACT',
    value: '',
    help: 'e-mail address or web page at which customers reach you; the pages show it wherever they say to ask the operator',
  },
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
  secondFactorSetUpMs: {
    kind: 'integer',
    variable: 'VERBATIM_SECOND_FACTOR_SET_UP_MS',
    value: 900_000,
    unit: 'ms',
    help: 'how long a customer can take to set up an authenticator app; as many wait as new secrets may',
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
  recentQuestionsPerSessionMax: {
    kind: 'integer',
    variable: 'VERBATIM_RECENT_QUESTIONS_PER_SESSION_MAX',
    value: 20,
    unit: 'questions',
    help: 'last questions of a browser session that the page Try it offers again; they stay in memory',
  },
  recentQuestionSessionsMax: {
    kind: 'integer',
    variable: 'VERBATIM_RECENT_QUESTION_SESSIONS_MAX',
    value: 500,
    unit: 'sessions',
    help: 'sessions whose last questions are kept; one beyond it replaces those of the one that asked longest ago',
  },
} as const satisfies SettingsPart;
