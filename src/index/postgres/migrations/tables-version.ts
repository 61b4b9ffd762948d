/** The number of the last step of `OLDEST_PROGRAM`. */
export const OLDEST_VERSION = 2;

/** The version of the tables: the number of the last step. */
export const TABLES_VERSION = 7;
