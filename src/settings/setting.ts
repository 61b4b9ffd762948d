/** A setting: the variable that sets it, its default, and what it is, with its unit in its name. */
export interface Setting<T extends string | number> {
  variable: string;
  value: T;
  help: string;
}

/** The settings of one part of the program. */
export type SettingsPart = Record<string, Setting<string | number>>;
