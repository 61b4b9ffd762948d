/** `verbatim health`: asks a running server, for container engines and scripts without curl. */
import { Command } from 'commander';
import { messageOf, VerbatimError } from '../errors.ts';
import { settingsOf } from './cli/options.ts';
import { print, printJson } from './cli/output.ts';

/** Addresses that mean every address of the machine, and the one to ask instead. */
const loopback: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export function healthCommand(): Command {
  return new Command('health')
    .description('ask the server on this machine whether it is ready; exits with 1 if it is not')
    .option('--url <url>', 'the server (default: the address of VERBATIM_HOST and VERBATIM_PORT)')
    .option('--json', 'print JSON for programs')
    .addHelpText('after', '\nExample:\n  verbatim health --url http://localhost:8080')
    .action(async (options: { url?: string; json?: boolean }) => {
      const { host, port, healthTimeoutMs } = settingsOf({});
      const name = loopback[host] ?? host;
      const server = options.url ?? `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
      const status = await askHealth(server, healthTimeoutMs);
      if (options.json) printJson(status);
      else print('ready');
    });
}

/** Returns what `/health` says. Throws `not_serving` if there is no answer or the server is not ready. */
async function askHealth(server: string, timeoutMs: number): Promise<unknown> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(new URL('/health', server), { signal });
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
    throw new VerbatimError('not_serving', `${server} is not ready: ${response.status} ${text}`);
  } catch (error) {
    if (error instanceof VerbatimError) throw error;
    const { cause } = error as Error;
    throw new VerbatimError(
      'not_serving',
      `${server} is not serving: ${messageOf(cause ?? error)}`,
    );
  }
}
