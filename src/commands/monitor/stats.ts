/** `verbatim stats`: the numbers of a running server, once. */
import { Command } from 'commander';
import { type CommonOptions, settingsOf, withConfigOption } from '../cli/options.ts';
import { print, printJson } from '../cli/output.ts';

export interface MonitorOptions extends Pick<CommonOptions, 'config' | 'json'> {
  url?: string;
}

/** Adds the options of `stats` and `top`. */
export function withMonitorOptions(command: Command): Command {
  return withConfigOption(command)
    .option(
      '--url <address>',
      'where the server has its metrics (default: VERBATIM_METRICS_HOST and VERBATIM_METRICS_PORT)',
    )
    .option('--json', 'print JSON for programs');
}

export function statsCommand(): Command {
  return withMonitorOptions(new Command('stats'))
    .description('print the numbers of a running server since its start')
    .addHelpText(
      'after',
      `
Examples:
  verbatim stats                              searches, latencies, ledger, memory, database
  verbatim stats --json | jq .searchMs.p95    one number, for a script`,
    )
    .action(printStats);
}

/** Prints the numbers since the start of the server. Throws `metrics_unreachable`. */
export async function printStats(options: MonitorOptions): Promise<void> {
  const settings = settingsOf(options);
  const { metricsUrl, readMetrics } = await import('./read-metrics.ts');
  const { serviceNumbers } = await import('../../metrics/service-numbers.ts');
  const { describeNumbers } = await import('./numbers-view.ts');
  const numbers = serviceNumbers(await readMetrics(metricsUrl(options.url, settings), settings));
  if (options.json) printJson(numbers);
  else for (const line of describeNumbers(numbers, 'since the start')) print(line);
}
