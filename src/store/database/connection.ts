/** A connection to the one SQLite file. The type stands alone: whoever reads or writes a table needs only this. */
import type Database from 'better-sqlite3';

export type Connection = Database.Database;
