/** What every section of the ordeal takes and returns. */
import type { Cores } from './cores.ts';
import type { OrdealOptions } from './options.ts';

export interface Ordeal {
  options: OrdealOptions;
  cores: Cores;
  /** Creates a copy of the index in a folder of its own. Returns the copy's path. */
  copyIndex(name: string): Promise<string>;
  /** Reports progress to standard error. */
  say(text: string): void;
}

/** One line of the report. */
export interface Row {
  measure: string;
  value: string;
  /** What the value must be, as text; undefined for what is only told. */
  bound?: string;
  /** Whether the value is within its bound. */
  isMet?: boolean;
}

export interface SectionReport {
  rows: Row[];
  /** One sentence for each thing that is wrong, whatever the machine. */
  wrong: string[];
}

export type Section = (ordeal: Ordeal) => Promise<SectionReport>;

/** Returns a line with a bound. */
export function boundedRow(measure: string, value: string, bound: string, isMet: boolean): Row {
  return { measure, value, bound, isMet };
}
