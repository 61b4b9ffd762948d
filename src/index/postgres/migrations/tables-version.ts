/** The version of the tables: the number of the last migration. */
export const TABLES_VERSION = 2;
