/** The version of package.json and the commit, put in by the build. */
declare const VERBATIM_VERSION: string | undefined;
declare const VERBATIM_COMMIT: string | undefined;

export const version = typeof VERBATIM_VERSION === 'string' ? VERBATIM_VERSION : 'source';

/** The first 12 digits of the commit; "unknown" if the build had no git. */
export const commit = typeof VERBATIM_COMMIT === 'string' ? VERBATIM_COMMIT : 'unknown';
