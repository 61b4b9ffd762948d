/** The command line: one file a command, put together here. */
import { Command } from 'commander';
import { exampleQuestion } from '../settings/example.ts';
import { assertGlibc } from './cli/assert-glibc.ts';

/** Makes each command by its name, in the order of the help. */
type Commands = Readonly<Record<string, (words: readonly string[]) => Promise<Command>>>;

const commands: Commands = {
  init: async () => (await import('./init/init.ts')).initCommand(),
  start: async () => (await import('./start.ts')).startCommand(),
  serve: async () => (await import('./serve.ts')).serveCommand(),
  config: async () => (await import('./config.ts')).configCommand(),
  top: async () => (await import('./monitor/top.ts')).topCommand(),
  stats: async () => (await import('./monitor/stats.ts')).statsCommand(),
  index: indexCommand,
  source: async () => (await import('./source/source.ts')).sourceCommand(),
  search: async () => (await import('./search.ts')).searchCommand(),
  paper: async () => (await import('./paper.ts')).paperCommand(),
  similar: async () => (await import('./similar.ts')).similarCommand(),
  mcp: async () => (await import('./mcp.ts')).mcpCommand(),
  verify: async () => (await import('./verify.ts')).verifyCommand(),
  model: modelCommand,
  lanes: lanesCommand,
  eval: async () => (await import('./eval.ts')).evalCommand(),
  calibrate: async () => (await import('./calibrate.ts')).calibrateCommand(),
  customer: async () => (await import('./customer.ts')).customerCommand(),
  key: async () => (await import('./key.ts')).keyCommand(),
  credit: async () => (await import('./credit.ts')).creditCommand(),
  payment: async () => (await import('./payment.ts')).paymentCommand(),
  operator: async () => (await import('./operator.ts')).operatorCommand(),
  accounts: async () => (await import('./accounts/accounts.ts')).accountsCommand(),
  doctor: async () => (await import('./doctor.ts')).doctorCommand(),
  'check-file': async () => (await import('./check-file.ts')).checkFileCommand(),
  migrate: async () => (await import('./migrate.ts')).migrateCommand(),
  backup: async () => (await import('./operation/backup.ts')).backupCommand(),
  restore: async () => (await import('./operation/restore.ts')).restoreCommand(),
  upgrade: async () => (await import('./upgrade/upgrade.ts')).upgradeCommand(),
  uninstall: async () => (await import('./uninstall.ts')).uninstallCommand(),
  health: async () => (await import('./health.ts')).healthCommand(),
  version: async () => (await import('./version.ts')).versionCommand(),
  licenses: async () => (await import('./licenses.ts')).licensesCommand(),
};

const commandsOfIndex: Commands = {
  add: async () => (await import('./index/index-add.ts')).indexAddCommand(),
  embed: async () => (await import('./index/index-embed.ts')).indexEmbedCommand(),
  stats: async () => (await import('./index/index-stats.ts')).indexStatsCommand(),
  verify: async () => (await import('./index/index-verify.ts')).indexVerifyCommand(),
  why: async () => (await import('./index/index-why.ts')).indexWhyCommand(),
  history: async () => (await import('./index/index-history.ts')).indexHistoryCommand(),
  changes: async () => (await import('./index/index-changes.ts')).indexChangesCommand(),
  export: async () => (await import('./index/index-export.ts')).indexExportCommand(),
  remove: async () => (await import('./index/index-remove.ts')).indexRemoveCommand(),
  optimize: async () => (await import('./index/index-optimize.ts')).indexOptimizeCommand(),
  reembed: async () => (await import('./index/index-reembed.ts')).indexReembedCommand(),
  publish: async () => (await import('./index/index-publish.ts')).indexPublishCommand(),
  pull: async () => (await import('./index/index-pull.ts')).indexPullCommand(),
};

/**
 * Returns the program with the command that `words` begin with, or with all commands if there is none:
 * to load all of them takes longer than most commands.
 */
export async function createProgram(words: readonly string[] = []): Promise<Command> {
  const program = new Command('verbatim')
    .description(
      'Literature search that quotes the one sentence of each paper that answers, word for word.',
    )
    .option('-V, --version', 'print the version and those of all parts; with --json for programs')
    .hook('preAction', assertGlibc)
    .configureHelp({ showGlobalOptions: true })
    .addHelpText(
      'after',
      `
Examples:
  verbatim index add papers.jsonl.gz          build or extend the index
  verbatim search "${exampleQuestion}"    search from the command line
  verbatim customer add ada@example.org       add a customer
  verbatim credit add ada@example.org 1000    give the customer credit
  verbatim key create ada@example.org         create an API key for the customer
  verbatim serve                              start the HTTP service

Settings come from options, then from VERBATIM_... variables, then from the settings file, then from
the defaults. See: verbatim config --help`,
    );
  await addCommands(program, commands, words);
  // Errors are thrown to command-line.ts, which alone decides on exit codes.
  for (const command of [program, ...descendants(program)]) command.exitOverride();
  return program;
}

/** Adds the command that is named first, with the words after its name, or all commands. */
async function addCommands(
  parent: Command,
  makers: Commands,
  [name = '', ...words]: readonly string[],
): Promise<void> {
  const maker = Object.hasOwn(makers, name) ? makers[name] : undefined;
  const wanted = maker ? [maker(words)] : Object.values(makers).map((make) => make([]));
  for (const command of await Promise.all(wanted)) parent.addCommand(command);
}

async function indexCommand(words: readonly string[]): Promise<Command> {
  const index = new Command('index').description('build and maintain the index');
  await addCommands(index, commandsOfIndex, words);
  return index;
}

async function modelCommand(): Promise<Command> {
  const { modelAddCommand } = await import('./model/model-add.ts');
  return new Command('model')
    .description('embedding models of your own')
    .addCommand(modelAddCommand());
}

async function lanesCommand(): Promise<Command> {
  const { lanesCheckCommand } = await import('./lanes-check.ts');
  return new Command('lanes')
    .description('maintain the fallback lanes')
    .addCommand(lanesCheckCommand());
}

function descendants(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...descendants(child)]);
}
