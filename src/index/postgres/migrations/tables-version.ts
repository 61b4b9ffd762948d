/** The version of the tables: the number of the last step. There is none since `OLDEST_PROGRAM`. */
export const TABLES_VERSION = 2;
