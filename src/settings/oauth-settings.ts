/** Settings of OAuth, by which clients of the Model Context Protocol get access for a customer. */
import type { SettingsPart } from './setting.ts';

export const oauthSettings = {
  oauth: {
    kind: 'boolean',
    variable: 'VERBATIM_OAUTH',
    value: false,
    help: "whether customers may connect MCP clients in the browser, without a key; clients' metadata is then fetched from their sites",
  },
  accessTokenMinutesMax: {
    kind: 'integer',
    variable: 'VERBATIM_ACCESS_TOKEN_MINUTES_MAX',
    value: 60,
    unit: 'minutes',
    help: 'lifetime of an access token; after it, the client gets another one without the customer',
  },
  refreshTokenHoursMax: {
    kind: 'integer',
    variable: 'VERBATIM_REFRESH_TOKEN_HOURS_MAX',
    value: 720,
    unit: 'hours',
    help: 'time after which an unused connection ends',
  },
  refreshGraceMs: {
    kind: 'limit',
    value: 10_000,
    unit: 'ms',
    why: 'how long a replaced refresh token may be used again, by a client that lost the answer; a later use ends the connection',
  },
  tokensPerGrantMax: {
    kind: 'limit',
    value: 8,
    unit: 'tokens',
    why: 'access tokens, and refresh tokens, that are kept for one connection',
  },
  authorizationCodeMs: {
    kind: 'limit',
    value: 60_000,
    unit: 'ms',
    why: 'how long a client has to exchange its authorization code for tokens',
  },
  authorizationCodesPerCustomerMax: {
    kind: 'limit',
    value: 5,
    unit: 'codes',
    why: 'authorization codes of a customer; one beyond it ends the oldest',
  },
  connectionCreditsDefault: {
    kind: 'integer',
    variable: 'VERBATIM_CONNECTION_CREDITS_DEFAULT',
    value: 1_000,
    unit: 'credits',
    max: 1_000_000_000,
    help: 'monthly cap that the consent page suggests',
  },
  clientOrigins: {
    kind: 'text',
    variable: 'VERBATIM_CLIENT_ORIGINS',
    value: '',
    help: "origins, separated by commas, whose clients' metadata may be fetched although the host is not public, such as https://agents.internal",
  },
  clientMetadataBytesMax: {
    kind: 'limit',
    value: 16_384,
    unit: 'bytes',
    why: "size of a client's metadata",
  },
  clientMetadataTimeoutMs: {
    kind: 'limit',
    value: 5_000,
    unit: 'ms',
    why: "time in which a client's metadata must arrive",
  },
  clientMetadataKeptMs: {
    kind: 'limit',
    value: 300_000,
    unit: 'ms',
    why: "how long a client's metadata is used before it is fetched again",
  },
  clientMetadataKeptMax: {
    kind: 'limit',
    value: 500,
    unit: 'clients',
    why: 'clients whose metadata is kept; one beyond it replaces the oldest',
  },
  clientFetchesMax: {
    kind: 'limit',
    value: 8,
    unit: 'requests',
    why: "requests for clients' metadata at the same time",
  },
  clientFetchesPerCustomerMax: {
    kind: 'limit',
    value: 20,
    unit: 'requests',
    why: "requests for clients' metadata that one customer causes per throttle window",
  },
} as const satisfies SettingsPart;
