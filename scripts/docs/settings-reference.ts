/** The text of src/settings/SETTINGS.md, made from the table of settings and limits. */

import { markdownTable } from '../../src/dashboard/docs/markdown.ts';
import { settingsParts, settingsTable } from '../../src/settings/config.ts';
import { describeValues } from '../../src/settings/describe-values.ts';
import { otherVariables } from '../../src/settings/other-variables.ts';
import { limitsIn, type Setting, settingsIn } from '../../src/settings/setting.ts';

const intro = `# Settings and limits

[README](README.md) says how settings are written and where they come from.`;

const limitsIntro = `# Limits

These bounds are constants: no operator has to decide them. \`verbatim config --limits\` prints them.`;

const otherIntro = `# Other variables

These are not settings. They work in the environment only.`;

const renamedIntro = `# Renamed variables

The former name works in this version. Each command that finds it logs \`setting_renamed\` with both names. If both are set, the new name counts.`;

/** The whole file. */
export function settingsReference(): string {
  const settings = settingsParts.flatMap(({ title, rows }) => {
    const cells = settingsIn(rows).map(([, setting]) => [
      ...[`\`${setting.variable}\``, describeDefault(setting)],
      ...[describeValues(setting), setting.help],
    ]);
    return section(title, ['variable', 'default', 'values', 'meaning'], cells);
  });
  const limits = settingsParts.flatMap(({ title, rows }) => {
    const cells = limitsIn(rows).map(([name, { value, unit, why }]) => [
      ...[`\`${name}\``, `${value} ${unit}`, why],
    ]);
    return section(title, ['limit', 'value', 'what it bounds'], cells);
  });
  const renamed = Object.values(settingsTable).flatMap(({ variable, formerVariable }: Setting) =>
    formerVariable === undefined ? [] : [[`\`${formerVariable}\``, `\`${variable}\``]],
  );
  const others = Object.entries(otherVariables).map(([variable, help]) => [
    `\`${variable}\``,
    help,
  ]);
  const parts = [
    ...[intro, ...settings, limitsIntro, ...limits],
    ...[otherIntro, markdownTable(['variable', 'meaning'], others)],
    ...[renamedIntro, markdownTable(['former name', 'name'], renamed)],
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Empty for a part without rows. */
function section(
  title: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  return rows.length === 0 ? [] : [`## ${title}`, markdownTable(heads, rows)];
}

function describeDefault(setting: Setting): string {
  if (setting.kind === 'integer' && setting.defaultText !== undefined) return setting.defaultText;
  return setting.value === '' ? 'empty' : `\`${setting.value}\``;
}
