/** Settings of the dashboard's pages. */
import { exampleQuestion } from './example.ts';
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
    kind: 'limit',
    value: 2_000,
    unit: 'ms',
    why: 'how long the page waits for its first figures; after it, it is shown without them',
  },
  indexFiguresEveryMs: {
    kind: 'limit',
    value: 60_000,
    unit: 'ms',
    why: 'shortest time between two counts of a changing index for that page',
  },
  operatorContact: {
    kind: 'text',
    variable: 'VERBATIM_OPERATOR_CONTACT',
    value: '',
    help: 'e-mail address or web page at which customers reach you; the pages show it wherever they say to ask the operator',
  },
  newSecretsShownMs: {
    kind: 'limit',
    value: 120_000,
    unit: 'ms',
    why: 'how long the secret of a new key waits for the page that shows it once',
  },
  downloadsInFlightMax: {
    kind: 'limit',
    value: 16,
    unit: 'downloads',
    why: 'exports and tables that customers download at the same time; beyond it, the response is 429',
  },
  downloadsPerCustomerMax: {
    kind: 'limit',
    value: 2,
    unit: 'downloads',
    why: 'the same limit for one customer',
  },
  newSecretsMax: {
    kind: 'limit',
    value: 1_000,
    unit: 'secrets',
    why: 'new secrets that wait to be shown',
  },
  newSecretsPerCustomerMax: {
    kind: 'limit',
    value: 20,
    unit: 'secrets',
    why: 'new secrets of one customer that wait; one beyond it replaces the oldest',
  },
  secondFactorSetUpMs: {
    kind: 'limit',
    value: 900_000,
    unit: 'ms',
    why: 'how long a customer can take to set up an authenticator app; as many wait as new secrets may',
  },
  triedSearchesShownMs: {
    kind: 'limit',
    value: 600_000,
    unit: 'ms',
    why: 'how long a search of the page Try it can be viewed',
  },
  triedSearchFetchMs: {
    kind: 'limit',
    value: 30_000,
    unit: 'ms',
    why: 'how long such a search waits for its page to be loaded; after it, the credit is returned',
  },
  triedSearchesMax: {
    kind: 'limit',
    value: 200,
    unit: 'searches',
    why: 'searches of the page Try it that are kept',
  },
  triedSearchesPerCustomerMax: {
    kind: 'limit',
    value: 10,
    unit: 'searches',
    why: 'searches of one customer that are kept; one beyond it replaces the oldest',
  },
  recentQuestionsPerSessionMax: {
    kind: 'limit',
    value: 20,
    unit: 'questions',
    why: 'last questions of a browser session that the page Try it offers again; they stay in memory',
  },
  recentQuestionSessionsMax: {
    kind: 'limit',
    value: 500,
    unit: 'sessions',
    why: 'sessions whose last questions are kept; one beyond it replaces those of the one that asked longest ago',
  },
} as const satisfies SettingsPart;
