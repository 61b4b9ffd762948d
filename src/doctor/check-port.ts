/** The port: free, or held by the server of this database. */
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import type { Settings } from '../config.ts';
import { messageOf } from '../errors.ts';
import { assertCanListen } from '../http/listening-address.ts';
import { isServed } from '../store/database/process-lock.ts';
import { type Check, error, type Finding, ok, warning } from './check.ts';

/** How long a server may take to say how it is. */
const HEALTH_TIMEOUT_MS = 5_000;
const SETTING_NAMES = { host: 'VERBATIM_HOST', port: 'VERBATIM_PORT' };
const HEALTH_BYTES_MAX = 64 * 1024;

export const checkPort: Check = {
  name: 'port',
  async run({ settings }) {
    const { host, port, database } = settings;
    const address = `${host}:${port}`;
    const isRunning = await isServed(database);
    try {
      await assertCanListen({ host, port }, SETTING_NAMES);
    } catch (cause) {
      if (isRunning) return [await health(settings, address)];
      return [error(messageOf(cause), 'change the setting, or end the program that has the port')];
    }
    if (!isRunning) return [ok(`${address} is free`)];
    const other = `a server has this database, but it does not listen on ${address}`;
    return [warning(other, 'run the doctor with the settings of the server: --config FILE')];
  },
};

async function health(settings: Settings, address: string): Promise<Finding> {
  const advice = 'read the log of the server';
  try {
    const { status, reason } = await askHealth(settings);
    if (status === 'ok') return ok(`the server on ${address} is ready`);
    return error(`the server on ${address} is ${status}: ${reason ?? 'no reason'}`, advice);
  } catch (cause) {
    return error(`the server on ${address} does not answer: ${messageOf(cause)}`, advice);
  }
}

function askHealth(settings: Settings): Promise<{ status?: string; reason?: string }> {
  const { port, tlsCertificate } = settings;
  const host = ['0.0.0.0', '::'].includes(settings.host) ? 'localhost' : settings.host;
  const options = { host, port, path: '/health', timeout: HEALTH_TIMEOUT_MS };
  return new Promise((resolve, reject) => {
    const sent =
      tlsCertificate === ''
        ? requestPlain(options)
        : // The check of the certificate is another one.
          requestTls({ ...options, rejectUnauthorized: false });
    sent.once('timeout', () => sent.destroy(new Error('it took too long')));
    sent.once('error', reject);
    sent.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
        if (text.length > HEALTH_BYTES_MAX) sent.destroy(new Error('it sent too much'));
      });
      response.once('end', () => {
        try {
          resolve(JSON.parse(text));
        } catch {
          reject(new Error('it is not Verbatim'));
        }
      });
    });
    sent.end();
  });
}
