/** What a check of the doctor is, and what it finds. */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { Settings, SettingsFile } from '../../settings/config.ts';

export type Severity = 'ok' | 'warning' | 'error';

export interface Finding {
  severity: Severity;
  /** What was found, in one line. */
  found: string;
  /** What to do about it, in one line. Empty if nothing is to be done. */
  advice: string;
}

export interface CheckContext {
  settings: Settings;
  /** The settings file that was read. */
  file: SettingsFile | undefined;
  /** Whether to read everything, which may take minutes. */
  isFull: boolean;
  /** Whether to ask the providers of the lanes. */
  isOnline: boolean;
  /** In milliseconds since 1970. */
  now: number;
}

export interface Check {
  name: string;
  /** A check may throw: what it throws becomes an error. */
  run(context: CheckContext): Promise<Finding[]> | Finding[];
}

/** A check of the content of the database. It runs only if the database can be read. */
export interface DatabaseCheck {
  name: string;
  run(context: CheckContext, db: Connection): Promise<Finding[]> | Finding[];
}

export function ok(found: string): Finding {
  return { severity: 'ok', found, advice: '' };
}

export function warning(found: string, advice: string): Finding {
  return { severity: 'warning', found, advice };
}

export function error(found: string, advice: string): Finding {
  return { severity: 'error', found, advice };
}

/** A number of bytes in words, such as `944 MB`. */
export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
