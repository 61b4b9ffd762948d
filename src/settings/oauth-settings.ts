/** Settings of OAuth, by which clients of the Model Context Protocol get access for a customer. */
import { limit, type SettingsPart } from './setting.ts';

export const oauthSettings = {
  oauth: {
    kind: 'boolean',
    value: false,
    help: "whether customers may connect MCP clients in the browser, without a key; clients' metadata is then fetched from their sites",
  },
  accessTokenMinutesMax: {
    kind: 'integer',
    value: 60,
    unit: 'minutes',
    help: 'lifetime of an access token; after it, the client gets another one without the customer',
  },
  refreshTokenHoursMax: {
    kind: 'integer',
    value: 720,
    unit: 'hours',
    help: 'time after which an unused connection ends',
  },
  refreshGraceMs: limit(
    10_000,
    'ms',
    'how long a replaced refresh token may be used again, by a client that lost the answer; a later use ends the connection',
  ),
  tokensPerGrantMax: limit(
    8,
    'tokens',
    'access tokens, and refresh tokens, that are kept for one connection',
  ),
  authorizationCodeMs: limit(
    60_000,
    'ms',
    'how long a client has to exchange its authorization code for tokens',
  ),
  authorizationCodesPerCustomerMax: limit(
    5,
    'codes',
    'authorization codes of a customer; one beyond it ends the oldest',
  ),
  connectionCreditsDefault: {
    kind: 'integer',
    value: 1_000,
    unit: 'credits',
    max: 1_000_000_000,
    help: 'monthly cap that the consent page suggests',
  },
  clientOrigins: {
    kind: 'text',
    value: '',
    help: "origins, separated by commas, whose clients' metadata may be fetched although the host is not public, such as https://agents.internal",
  },
  clientMetadataBytesMax: limit(16_384, 'bytes', "size of a client's metadata"),
  clientMetadataTimeoutMs: limit(5_000, 'ms', "time in which a client's metadata must arrive"),
  clientMetadataKeptMs: limit(
    300_000,
    'ms',
    "how long a client's metadata is used before it is fetched again",
  ),
  clientMetadataKeptMax: limit(
    500,
    'clients',
    'clients whose metadata is kept; one beyond it replaces the oldest',
  ),
  clientFetchesMax: limit(8, 'requests', "requests for clients' metadata at the same time"),
  clientFetchesPerCustomerMax: limit(
    20,
    'requests',
    "requests for clients' metadata that one customer causes per throttle window",
  ),
} as const satisfies SettingsPart;
