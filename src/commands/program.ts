/** The command line: one file a command, put together here. */
import { Command } from 'commander';
import { exampleQuestion } from '../settings/example.ts';
import { accountsCommand } from './accounts/accounts.ts';
import { calibrateCommand } from './calibrate.ts';
import { checkFileCommand } from './check-file.ts';
import { assertGlibc } from './cli/assert-glibc.ts';
import { configCommand } from './config.ts';
import { creditCommand } from './credit.ts';
import { customerCommand } from './customer.ts';
import { doctorCommand } from './doctor.ts';
import { evalCommand } from './eval.ts';
import { healthCommand } from './health.ts';
import { indexAddCommand } from './index/index-add.ts';
import { indexChangesCommand } from './index/index-changes.ts';
import { indexEmbedCommand } from './index/index-embed.ts';
import { indexExportCommand } from './index/index-export.ts';
import { indexHistoryCommand } from './index/index-history.ts';
import { indexOptimizeCommand } from './index/index-optimize.ts';
import { indexPublishCommand } from './index/index-publish.ts';
import { indexPullCommand } from './index/index-pull.ts';
import { indexReembedCommand } from './index/index-reembed.ts';
import { indexRemoveCommand } from './index/index-remove.ts';
import { indexStatsCommand } from './index/index-stats.ts';
import { indexVerifyCommand } from './index/index-verify.ts';
import { indexWhyCommand } from './index/index-why.ts';
import { initCommand } from './init/init.ts';
import { keyCommand } from './key.ts';
import { lanesCheckCommand } from './lanes-check.ts';
import { licensesCommand } from './licenses.ts';
import { mcpCommand } from './mcp.ts';
import { migrateCommand } from './migrate.ts';
import { statsCommand } from './monitor/stats.ts';
import { topCommand } from './monitor/top.ts';
import { backupCommand } from './operation/backup.ts';
import { restoreCommand } from './operation/restore.ts';
import { operatorCommand } from './operator.ts';
import { paperCommand } from './paper.ts';
import { paymentCommand } from './payment.ts';
import { searchCommand } from './search.ts';
import { serveCommand } from './serve.ts';
import { similarCommand } from './similar.ts';
import { sourceCommand } from './source/source.ts';
import { startCommand } from './start.ts';
import { uninstallCommand } from './uninstall.ts';
import { verifyCommand } from './verify.ts';
import { versionCommand } from './version.ts';

export function createProgram(): Command {
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
  const lanes = new Command('lanes').description('maintain the fallback lanes');
  lanes.addCommand(lanesCheckCommand());
  program
    .addCommand(initCommand())
    .addCommand(startCommand())
    .addCommand(serveCommand())
    .addCommand(configCommand())
    .addCommand(topCommand())
    .addCommand(statsCommand())
    .addCommand(indexCommand())
    .addCommand(sourceCommand())
    .addCommand(searchCommand())
    .addCommand(paperCommand())
    .addCommand(similarCommand())
    .addCommand(mcpCommand())
    .addCommand(verifyCommand())
    .addCommand(lanes)
    .addCommand(evalCommand())
    .addCommand(calibrateCommand())
    .addCommand(customerCommand())
    .addCommand(keyCommand())
    .addCommand(creditCommand())
    .addCommand(paymentCommand())
    .addCommand(operatorCommand())
    .addCommand(accountsCommand())
    .addCommand(doctorCommand())
    .addCommand(checkFileCommand())
    .addCommand(migrateCommand())
    .addCommand(backupCommand())
    .addCommand(restoreCommand())
    .addCommand(uninstallCommand())
    .addCommand(healthCommand())
    .addCommand(versionCommand())
    .addCommand(licensesCommand());
  // Errors are thrown to command-line.ts, which alone decides on exit codes.
  for (const command of [program, ...descendants(program)]) command.exitOverride();
  return program;
}

function indexCommand(): Command {
  return new Command('index')
    .description('build and maintain the index')
    .addCommand(indexAddCommand())
    .addCommand(indexEmbedCommand())
    .addCommand(indexStatsCommand())
    .addCommand(indexVerifyCommand())
    .addCommand(indexWhyCommand())
    .addCommand(indexHistoryCommand())
    .addCommand(indexChangesCommand())
    .addCommand(indexExportCommand())
    .addCommand(indexRemoveCommand())
    .addCommand(indexOptimizeCommand())
    .addCommand(indexReembedCommand())
    .addCommand(indexPublishCommand())
    .addCommand(indexPullCommand());
}

function descendants(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...descendants(child)]);
}
