/** Settings of the dashboard's pages. */
import { exampleQuestion } from './example.ts';
import { limit, type SettingsPart } from './setting.ts';

export const dashboardSettings = {
  frontPage: {
    kind: 'boolean',
    value: true,
    help: 'whether `/` shows visitors what the service is and what is indexed; otherwise, it leads to the sign-in page',
  },
  frontPageNote: {
    kind: 'text',
    value: '',
    help: 'a line of your own on that page, as plain text',
  },
  frontPageQuestion: {
    kind: 'text',
    value: exampleQuestion,
    help: 'the question that the page answers as an example; without a close answer in the index, it quotes the sample',
  },
  frontPageWaitMs: limit(
    2_000,
    'ms',
    'how long the page waits for its first figures; after it, it is shown without them',
  ),
  indexFiguresEveryMs: limit(
    60_000,
    'ms',
    'shortest time between two counts of a changing index for that page',
  ),
  operatorContact: {
    kind: 'text',
    value: '',
    help: 'e-mail address or web page at which customers reach you; the pages show it wherever they say to ask the operator',
  },
  newSecretsShownMs: limit(
    120_000,
    'ms',
    'how long the secret of a new key waits for the page that shows it once',
  ),
  downloadsInFlightMax: limit(
    16,
    'downloads',
    'exports and tables that customers download at the same time; beyond it, the response is 429',
  ),
  downloadsPerCustomerMax: limit(2, 'downloads', 'the same limit for one customer'),
  newSecretsMax: limit(1_000, 'secrets', 'new secrets that wait to be shown'),
  newSecretsPerCustomerMax: limit(
    20,
    'secrets',
    'new secrets of one customer that wait; one beyond it replaces the oldest',
  ),
  secondFactorSetUpMs: limit(
    900_000,
    'ms',
    'how long a customer can take to set up an authenticator app; as many wait as new secrets may',
  ),
  keysPerPage: limit(50, 'keys', 'keys that a page of the list of keys shows'),
  keptFormMs: limit(
    600_000,
    'ms',
    'how long a form that was sent without a session waits for its sender to sign in',
  ),
  keptFormsMax: limit(200, 'forms', 'such forms that wait; one beyond it replaces the oldest'),
  triedSearchesShownMs: limit(600_000, 'ms', 'how long a search of the page Try it can be viewed'),
  triedSearchFetchMs: limit(
    30_000,
    'ms',
    'how long such a search waits for its page to be loaded; after it, the credit is returned',
  ),
  triedSearchesMax: limit(200, 'searches', 'searches of the page Try it that are kept'),
  triedSearchesPerCustomerMax: limit(
    10,
    'searches',
    'searches of one customer that are kept; one beyond it replaces the oldest',
  ),
  textFormBytesMax: limit(
    768 * 1024,
    'bytes',
    'size of the form of the page Try it with a text, as browsers encode it; beyond it, the response is 413',
  ),
} as const satisfies SettingsPart;
