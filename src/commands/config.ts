/** `verbatim config`: the settings in effect, where each comes from, and the limits. */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { type ResolvedSetting, type SettingsFile, settingsParts } from '../settings/config.ts';
import { limitsIn, type Setting, settingsIn } from '../settings/setting.ts';
import { settingsWithOrigins } from './cli/options.ts';
import { print, printable, printJson } from './cli/output.ts';
import { type ServeOptions, serveOverrides, withServeOptions } from './serve.ts';

/** In place of a secret. Its length is secret, too. */
const MASK = '********';

interface ConfigOptions extends ServeOptions {
  changed?: boolean;
  limits?: boolean;
}

/** A setting as it is printed. */
interface Row {
  part: string;
  variable: string;
  value: ResolvedSetting['value'];
  origin: ResolvedSetting['origin'];
  line: number | undefined;
}

export function configCommand(): Command {
  return withServeOptions(new Command('config'))
    .description('print the settings in effect, and where each comes from')
    .option('--changed', 'only settings that are not defaults')
    .option('--limits', 'the limits that are no settings, with unit and reason')
    .addHelpText(
      'after',
      `
Settings come from options, then from VERBATIM_... variables, then from the settings file, then from
the defaults. The settings file is --config FILE, else VERBATIM_CONFIG, else verbatim.conf in the
current folder, else /etc/verbatim/verbatim.conf. Secrets are printed as ${MASK}.

Examples:
  verbatim config --changed                 only what differs from the defaults
  verbatim config --config new.conf         check a settings file before you use it
  verbatim config --limits                  every bound that is fixed
  verbatim config --json | jq .settings`,
    )
    .action((options: ConfigOptions) => {
      if (options.limits) {
        printLimits(options.json === true);
        return;
      }
      const { resolved, file } = settingsWithOrigins(options, serveOverrides(options));
      const rows = settingsParts
        .flatMap(({ title, rows: all }) =>
          settingsIn(all).map(([name, setting]) => rowOf(title, setting, resolved.get(name))),
        )
        .filter(({ origin }) => !options.changed || origin !== 'default');
      if (options.json) printRowsAsJson(rows, file);
      else printRows(rows, file);
    });
}

function rowOf(part: string, setting: Setting, resolved: ResolvedSetting | undefined): Row {
  const { value, origin, line } = resolved ?? {
    value: setting.value,
    origin: 'default',
    line: undefined,
  };
  const isSecret = setting.kind === 'text' && setting.secret === true && value !== '';
  return { part, variable: setting.variable, value: isSecret ? MASK : value, origin, line };
}

function printRowsAsJson(rows: readonly Row[], file: SettingsFile | undefined): void {
  printJson({
    file: file === undefined ? null : resolve(file.path),
    settings: rows.map(({ variable, value, origin, line }) => {
      return { variable, value, origin, line: line ?? null };
    }),
  });
}

function printRows(rows: readonly Row[], file: SettingsFile | undefined): void {
  print(`settings file: ${file === undefined ? '(none)' : printable(resolve(file.path))}`);
  if (rows.length === 0) print('all settings have their defaults');
  const width = Math.max(...rows.map(({ variable }) => variable.length));
  let part = '';
  for (const row of rows) {
    if (row.part !== part) print(`\n${row.part}`);
    part = row.part;
    const from = row.origin === 'file' ? `file, line ${row.line}` : row.origin;
    const value = row.value === '' ? '(empty)' : printable(String(row.value));
    print(`  ${row.variable.padEnd(width)}  ${value}  (${from})`);
  }
}

function printLimits(isJson: boolean): void {
  const limits = settingsParts.flatMap(({ title: part, rows }) =>
    limitsIn(rows).map(([name, { value, unit, why }]) => ({ part, name, value, unit, why })),
  );
  if (isJson) {
    printJson({ limits });
    return;
  }
  const width = Math.max(...limits.map(({ name }) => name.length));
  let part = '';
  for (const limit of limits) {
    if (limit.part !== part) print(`${part === '' ? '' : '\n'}${limit.part}`);
    part = limit.part;
    print(`  ${limit.name.padEnd(width)}  ${limit.value} ${limit.unit}: ${limit.why}`);
  }
}
