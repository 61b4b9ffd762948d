/** `verbatim init`: settings file, database, first customer and key, and what runs the service. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { VerbatimError } from '../../errors.ts';
import { parseCreditCount, parsePort } from '../cli/options.ts';
import { printJson } from '../cli/output.ts';
import { createPrompter, isTerminal } from './ask.ts';
import { carryOut } from './carry-out.ts';
import { isDomain } from './domain.ts';
import { type InitOptions, planInit } from './init-plan.ts';
import { jsonOfInit, printInit } from './init-report.ts';

interface InitCommandOptions extends InitOptions {
  yes?: boolean;
  json?: boolean;
}

export function initCommand(): Command {
  return new Command('init')
    .description('set up a server: settings file, database, first customer and key')
    .option('--yes', 'ask nothing: use options and defaults')
    .option(
      '--config <file>',
      'the settings file to write (default: /etc/verbatim/verbatim.conf as root, else verbatim.conf)',
    )
    .option(
      '--db <file>',
      'the database to make (default: /var/lib/verbatim/verbatim.db as root, else verbatim.db)',
    )
    .option(
      '--customer <email>',
      "the first customer's address (default: first-customer@localhost)",
    )
    .option('--credits <n>', 'credits of the first customer (default: 1000)', parseCreditCount)
    .option('--host <address>', 'address to listen on (default: 0.0.0.0, behind a proxy 127.0.0.1)')
    .option('--port <n>', 'port to listen on (default: 8080)', parsePort)
    .option('--systemd', 'write a systemd unit (as root)')
    .addOption(
      new Option('--caddy <domain>', 'write an example for Caddy as the proxy of this domain')
        .argParser(parseDomain)
        .conflicts('nginx'),
    )
    .option(
      '--nginx <domain>',
      'write an example for nginx as the proxy of this domain',
      parseDomain,
    )
    .option('--json', 'print JSON for programs')
    .addHelpText(
      'after',
      `
On a terminal, it asks for what no option says. It never replaces a file, a database, or a customer,
so after an interruption you can run it again.

Examples:
  verbatim init                                            ask, and set up the current folder
  sudo verbatim init --systemd --caddy search.example.org  set up this machine as a server
  verbatim init --yes --json                               set up a folder from a script`,
    )
    .action(async ({ yes, json, ...options }: InitCommandOptions) => {
      if (!yes && !isTerminal()) {
        throw new VerbatimError('usage', 'there is no terminal to ask on; use --yes and options');
      }
      const prompter = yes ? undefined : createPrompter();
      let report: Awaited<ReturnType<typeof carryOut>>;
      try {
        report = await carryOut(await planInit(options, prompter));
      } finally {
        prompter?.close();
      }
      if (json) printJson(jsonOfInit(report));
      else printInit(report);
    });
}

function parseDomain(text: string): string {
  if (isDomain(text)) return text.toLowerCase();
  throw new InvalidArgumentError('It must be a domain such as search.example.org.');
}
