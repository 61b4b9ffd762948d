/** The version of package.json, put in by the build. */
declare const VERBATIM_VERSION: string | undefined;

export const version = typeof VERBATIM_VERSION === 'string' ? VERBATIM_VERSION : 'source';
