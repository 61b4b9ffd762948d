/** The text of src/commands/COMMANDS.md, made from the command line's own description of itself. */
import { Command, Help, type Option } from 'commander';
import { withModelOptions } from '../../src/commands/cli/options.ts';
import { createProgram } from '../../src/commands/program.ts';
import { markdownTable } from '../../src/dashboard/docs/markdown.ts';

const intro = `# Commands

\`verbatim COMMAND --help\` also has examples. [README](README.md) says what all commands share.`;

const help = new Help();

/** Options that many commands have. They are described once. */
const shared = new Map(withModelOptions(new Command()).options.map(rowOf));

/** The whole file. */
export async function commandsReference(): Promise<string> {
  const commands = runnable(await createProgram());
  const overview = commands.map((command) => {
    const path = pathOf(command);
    return [`[\`${path}\`](#${path.replaceAll(' ', '-')})`, descriptionOf(command)];
  });
  const parts = [
    ...[intro, markdownTable(['option of many commands', 'meaning'], [...shared])],
    ...[markdownTable(['command', 'what it does'], overview), ...commands.map(section)],
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The commands that do something: those without commands of their own. */
function runnable(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(runnable);
}

function section(command: Command): string {
  const argumentRows = help
    .visibleArguments(command)
    .map((argument) => [code(help.argumentTerm(argument)), help.argumentDescription(argument)]);
  const options = help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help')
    .map(rowOf);
  const own = [
    ...argumentRows,
    ...options.filter(([term, meaning]) => shared.get(term) !== meaning),
  ];
  const others = options.filter(([term, meaning]) => shared.get(term) === meaning);
  return [
    `## ${pathOf(command)}`,
    code(help.commandUsage(command)),
    `${descriptionOf(command)}.`,
    ...(own.length === 0 ? [] : [markdownTable(['argument or option', 'meaning'], own)]),
    ...(others.length === 0 ? [] : [`Also ${others.map(([term]) => term).join(', ')}.`]),
  ].join('\n\n');
}

function rowOf(option: Option): [term: string, meaning: string] {
  return [code(help.optionTerm(option)), help.optionDescription(option)];
}

function code(text: string): string {
  return `\`${text}\``;
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function descriptionOf(command: Command): string {
  const text = command.description();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
