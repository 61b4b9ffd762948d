/**
 * A connection to the SQLite file. The type has its own file, because readers and writers of tables
 * need nothing else.
 */
import type Database from 'better-sqlite3';

export type Connection = Database.Database;
