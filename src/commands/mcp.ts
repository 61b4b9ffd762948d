/** `verbatim mcp`: the local index for a program that speaks the Model Context Protocol. */
import { Command } from 'commander';
import {
  type CommonOptions,
  settingsOf,
  withConfigOption,
  withModelOption,
} from './cli/options.ts';

export function mcpCommand(): Command {
  const command = new Command('mcp')
    .description(
      'serve the index to an agent over MCP on standard input and output, free of charge',
    )
    .option('--db <file>', 'the database (default: VERBATIM_DB, else verbatim.db)');
  return withModelOption(withConfigOption(command))
    .addHelpText(
      'after',
      `
An agent's program starts this command itself. Tell it the command, for example:
  claude mcp add verbatim -- verbatim mcp --db /srv/verbatim/verbatim.db

Or as most programs take it:
  {"mcpServers": {"verbatim": {"command": "verbatim", "args": ["mcp", "--db", "/srv/verbatim/verbatim.db"]}}}

Standard output carries the protocol and nothing else; the log goes to standard error. The command
ends when the program closes its input. A server that runs (\`verbatim serve\`) offers the same at
/mcp over HTTP, for a key and its credits.`,
    )
    .action(async (options: CommonOptions) => {
      const { runMcp } = await import('./run-mcp.ts');
      await runMcp(settingsOf(options));
    });
}
