/** `verbatim health`: asks a running server, for container engines and scripts without curl. */
import { get as getOverHttp, type IncomingMessage } from 'node:http';
import { get as getOverHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import type { Settings } from '../config.ts';
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
      const settings = settingsOf({});
      const server = options.url ?? ownAddress(settings);
      const health = await askHealth(server, {
        timeoutMs: settings.healthTimeoutMs,
        // The certificate names the public host. This machine needs no proof of who it is.
        rejectUnauthorized: options.url !== undefined,
      });
      if (options.json) printJson(health);
      else print('ready');
    });
}

/** Returns the address at which a server with these settings can be asked on this machine. */
function ownAddress({ host, port, tlsCertificate }: Settings): string {
  const name = loopback[host] ?? host;
  const scheme = tlsCertificate === '' ? 'http' : 'https';
  return `${scheme}://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

interface AskOptions {
  timeoutMs: number;
  rejectUnauthorized: boolean;
}

/**
 * Returns what `/health` says. Throws `not_serving` if the server is not ready, does not answer in
 * time, or is another program.
 */
async function askHealth(server: string, options: AskOptions): Promise<unknown> {
  let status: number | undefined;
  let body: string;
  try {
    const response = await get(new URL('/health', server), options);
    status = response.statusCode;
    body = await text(response);
    if (status === 200) return JSON.parse(body);
  } catch (error) {
    throw new VerbatimError('not_serving', `${server} is not serving: ${messageOf(error)}`);
  }
  throw new VerbatimError('not_serving', `${server} is not ready: ${status} ${body}`);
}

function get(url: URL, { timeoutMs, rejectUnauthorized }: AskOptions): Promise<IncomingMessage> {
  const signal = AbortSignal.timeout(timeoutMs);
  return new Promise((resolve, reject) => {
    const request =
      url.protocol === 'https:'
        ? getOverHttps(url, { signal, rejectUnauthorized, agent: false }, resolve)
        : getOverHttp(url, { signal, agent: false }, resolve);
    request.once('error', (error) =>
      reject(signal.aborted ? new Error(`no answer within ${timeoutMs} ms`) : error),
    );
  });
}
