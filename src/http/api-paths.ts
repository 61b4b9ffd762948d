/** The paths of the API whose requests are recorded. */
export const apiPaths = [
  '/v1/search',
  '/v1/search/batch',
  '/v1/verify',
  '/v1/paper',
  '/v1/similar',
  '/v1/changes',
  '/v1/usage',
  '/mcp',
] as const;

export type ApiPath = (typeof apiPaths)[number];

/** The page Try it makes requests with a key, too. */
export const TRY_PATH = '/dashboard/try';
