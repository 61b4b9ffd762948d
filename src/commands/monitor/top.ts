/** `verbatim top`: the numbers of a running server, live. */
import { Command } from 'commander';
import { messageOf, VerbatimError } from '../../errors.ts';
import { settingsOf } from '../cli/options.ts';
import { type MonitorOptions, printStats, withMonitorOptions } from './stats.ts';

/** How often the server is asked. */
const REFRESH_MS = 1_000;
/** The seconds that rates and latencies are of: enough for a quantile, and soon up to date. */
const WINDOW_READINGS = 10;

interface TopOptions extends MonitorOptions {
  once?: boolean;
}

export function topCommand(): Command {
  return withMonitorOptions(new Command('top'))
    .description('watch a running server: searches, latencies, errors, queues, lanes, memory')
    .option('--once', 'print the numbers since the start of the server, and end')
    .addHelpText(
      'after',
      `
Press q to leave. Rates and latencies cover the last ${WINDOW_READINGS} seconds.

Examples:
  verbatim top                                watch the server on this machine
  verbatim top --url http://127.0.0.1:9465    watch another one
  verbatim top --once | head -4               for a pipe`,
    )
    .action((options: TopOptions) =>
      options.once || options.json ? printStats(options) : watch(options),
    );
}

async function watch(options: TopOptions): Promise<void> {
  if (!process.stdout.isTTY || !process.stdin.isTTY) {
    throw new VerbatimError('usage', 'top needs a terminal; use --once, or verbatim stats');
  }
  const settings = settingsOf(options);
  const { metricsUrl, readMetrics } = await import('./read-metrics.ts');
  const { serviceNumbers } = await import('../../metrics/service-numbers.ts');
  const { describeNumbers } = await import('./numbers-view.ts');
  const { showLive } = await import('./live-view.ts');
  const url = metricsUrl(options.url, settings);
  // The first failure ends the command, because the address may be mistyped.
  const readings = [await readMetrics(url, settings)];
  const read = async (): Promise<string[]> => {
    try {
      const now = await readMetrics(url, settings);
      readings.push(now);
      if (readings.length > WINDOW_READINGS + 1) readings.shift();
      const numbers = serviceNumbers(now, readings[0]);
      const seconds = Math.round(numbers.intervalSeconds);
      return [...describeNumbers(numbers, `last ${seconds} s`), '', 'q: leave'];
    } catch (error) {
      return [messageOf(error), '', 'Trying again every second. q: leave'];
    }
  };
  await showLive({ read, intervalMs: REFRESH_MS });
}
