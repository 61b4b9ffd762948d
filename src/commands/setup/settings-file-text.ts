/** The settings file that `verbatim init` writes: every setting, commented, the important ones first. */

import { VerbatimError } from '../../errors.ts';
import { type Settings, settingsParts, settingsTable } from '../../settings/config.ts';
import { describeValues } from '../../settings/describe-values.ts';
import { type Setting, settingsIn } from '../../settings/setting.ts';

/** What most operators look at. Everything else has a default that fits most servers. */
const important = [
  'database',
  'host',
  'port',
  'publicUrl',
  'proxiesTrusted',
  'lanes',
  'laneContact',
  'smtpUrl',
  'mailFrom',
  'stripeSecretKey',
  'stripeWebhookSecret',
] as const satisfies readonly (keyof Settings)[];

/** The settings that the file sets. The others stand in it as comments. */
export type SettingsToWrite = Partial<Pick<Settings, (typeof important)[number]>>;

const COLUMNS = 100;

/**
 * Returns the text of the file. Read again, it sets what is in `values` and nothing else. Throws
 * `usage` for a value that the format cannot hold.
 */
export function settingsFileText(values: SettingsToWrite): string {
  const first = important.map((name) => paragraph(settingsTable[name], values[name]));
  const rest = settingsParts.flatMap(({ title, rows }) => [
    `# ${title}\n# ${'-'.repeat(title.length)}\n`,
    ...settingsIn(rows)
      .filter(([name]) => !important.some((other) => other === name))
      .map(([, setting]) => paragraph(setting, undefined)),
  ]);
  return `${[HEAD, ...first, DEFAULTS, ...rest].join('\n')}`;
}

const HEAD = `# Settings of Verbatim. One NAME=value a line; a comment needs a line of its own.
# Options and VERBATIM_... variables come before this file, and the defaults after it.
# "verbatim config" prints what is in effect. A server reads this file when it starts.
# Keep this file to its owner if you add secrets. Write full paths, because systemd hands the
# service a copy in another folder.
`;

const DEFAULTS = `# Everything below has its default. Remove the "#" to change a setting.
`;

/** A comment and a line. The line is a comment too if there is nothing to set. */
function paragraph(setting: Setting, value: Settings[keyof Settings] | undefined): string {
  const comment = wrap(`${setting.help} (${describeValues(setting)})`);
  const isSet = value !== undefined && value !== '';
  const shown = isSet ? quote(String(value)) : defaultOf(setting);
  return `${comment}\n${isSet ? '' : '#'}${setting.variable}=${shown}\n`;
}

/** Empty for a default that depends on the machine. */
function defaultOf(setting: Setting): string {
  if (setting.kind === 'integer' && setting.defaultText !== undefined) return '';
  return quote(String(setting.value));
}

function quote(text: string): string {
  if (/\p{Cc}/u.test(text) || /'.*["\\]|["\\].*'/.test(text)) {
    throw new VerbatimError(
      'usage',
      `"${text}" cannot stand in a settings file; choose a name without quotes and backslashes`,
    );
  }
  if (!/["'\\]|\s#/.test(text)) return text;
  return text.includes("'") ? `"${text}"` : `'${text}'`;
}

function wrap(text: string): string {
  const lines: string[] = [];
  let line = '#';
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > COLUMNS) {
      lines.push(line);
      line = '#';
    }
    line += ` ${word}`;
  }
  return [...lines, line].join('\n');
}
