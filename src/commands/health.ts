/** `verbatim health`: asks a running server, for container engines and scripts without curl. */
import { Command } from 'commander';
import { messageOf, VerbatimError } from '../errors.ts';
import { type GetOptions, getText, localUrl, type ReceivedText } from '../http/get-text.ts';
import type { Settings } from '../settings/config.ts';
import { settingsOf } from './cli/options.ts';
import { print, printJson } from './cli/output.ts';

export function healthCommand(): Command {
  return new Command('health')
    .description('ask the server on this machine whether it is ready; exits with 1 if it is not')
    .option('--url <url>', 'the server (default: the address of VERBATIM_HOST and VERBATIM_PORT)')
    .option('--json', 'print JSON for programs')
    .addHelpText('after', '\nExample:\n  verbatim health --url http://localhost:8080')
    .action(async (options: { url?: string; json?: boolean }) => {
      const settings = settingsOf({});
      const server = options.url === undefined ? ownUrl(settings) : parseHealthUrl(options.url);
      const health = await askHealth(server, {
        timeoutMs: settings.healthTimeoutMs,
        bytesMax: settings.healthBytesMax,
        // The certificate names the public host. This machine needs no proof of who it is.
        rejectUnauthorized: options.url !== undefined,
      });
      if (options.json) printJson(health);
      else print(['ready', ...damageOf(health)].join('\n'));
    });
}

/** Returns a line for each part that is damaged, though the server is ready. */
function damageOf(health: unknown): string[] {
  const damaged = (health as { damaged?: unknown } | null)?.damaged;
  if (!Array.isArray(damaged)) return [];
  return damaged.map(({ reason, since }) => `damaged since ${since}: ${reason}`);
}

function ownUrl({ host, port, tlsCertificate }: Settings): URL {
  return localUrl({ host, port }, '/health', tlsCertificate === '' ? 'http' : 'https');
}

function parseHealthUrl(text: string): URL {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))
    return new URL('/health', text);
  throw new VerbatimError(
    'usage',
    `--url must be an address such as http://localhost:8080, not "${text}"`,
  );
}

/**
 * Returns what `/health` says. Throws `not_serving` if the server is not ready, does not answer in
 * time, or is another program.
 */
async function askHealth(url: URL, options: GetOptions): Promise<unknown> {
  let received: ReceivedText;
  try {
    received = await getText(url, options);
    if (received.status === 200) return JSON.parse(received.text);
  } catch (error) {
    throw new VerbatimError('not_serving', `${url.origin} is not serving: ${messageOf(error)}`);
  }
  const { status, text } = received;
  throw new VerbatimError('not_serving', `${url.origin} is not ready: ${status} ${text}`);
}
