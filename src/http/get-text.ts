/** One GET, for commands that ask a running server. */
import { get as getOverHttp, type IncomingMessage } from 'node:http';
import { get as getOverHttps } from 'node:https';
import type { ListeningAddress } from './listening-address.ts';

export interface GetOptions {
  /** Limits everything, to the end of the response. */
  timeoutMs: number;
  bytesMax: number;
  /** Whether a certificate must be valid and name the host. */
  rejectUnauthorized: boolean;
}

export interface ReceivedText {
  status: number;
  text: string;
}

/** Addresses that mean every address of the machine, and the one to ask instead. */
const loopback: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Returns the address of a path at which a server of this machine can be asked. */
export function localUrl(
  { host, port }: ListeningAddress,
  path: string,
  scheme: 'http' | 'https' = 'http',
): URL {
  const name = loopback[host] ?? host;
  return new URL(path, `${scheme}://${name.includes(':') ? `[${name}]` : name}:${port}`);
}

/** Gets a text, whatever the status. Rejects with the reason if there is no whole response. */
export async function getText(url: URL, options: GetOptions): Promise<ReceivedText> {
  const { timeoutMs, bytesMax } = options;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await get(url, options, signal);
    return { status: response.statusCode ?? 0, text: await readText(response, bytesMax) };
  } catch (error) {
    throw signal.aborted ? new Error(`no answer within ${timeoutMs} ms`) : error;
  }
}

function get(
  url: URL,
  { rejectUnauthorized }: GetOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request =
      url.protocol === 'https:'
        ? getOverHttps(url, { signal, rejectUnauthorized, agent: false }, resolve)
        : getOverHttp(url, { signal, agent: false }, resolve);
    request.once('error', reject);
  });
}

async function readText(response: IncomingMessage, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Error(`the answer is longer than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
