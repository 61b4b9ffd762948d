/** The port: free, or held by the server of this database. */

import { isServed } from '../../database/sqlite/process-lock.ts';
import { messageOf } from '../../errors.ts';
import { getText, localUrl } from '../../http/get-text.ts';
import { assertCanListen } from '../../http/listening-address.ts';
import type { Settings } from '../../settings/config.ts';
import { type Check, error, type Finding, ok, warning } from './check.ts';

const RESTORE = 'look for a failing disk, and restore the last good backup';
const SETTING_NAMES = { host: 'VERBATIM_HOST', port: 'VERBATIM_PORT' };

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
    const { status, reason, damaged = [] } = await askHealth(settings);
    if (status === 'ok' && damaged.length > 0) {
      const reasons = damaged.map((one) => one.reason).join('; ');
      return warning(`the server on ${address} is ready, but knows of damage: ${reasons}`, RESTORE);
    }
    if (status === 'ok') return ok(`the server on ${address} is ready`);
    return error(`the server on ${address} is ${status}: ${reason ?? 'no reason'}`, advice);
  } catch (cause) {
    return error(`the server on ${address} does not answer: ${messageOf(cause)}`, advice);
  }
}

interface Health {
  status?: string;
  reason?: string;
  damaged?: { reason: string }[];
}

async function askHealth(settings: Settings): Promise<Health> {
  const { host, port, tlsCertificate, healthTimeoutMs, healthBytesMax } = settings;
  const url = localUrl({ host, port }, '/health', tlsCertificate === '' ? 'http' : 'https');
  const { text } = await getText(url, {
    timeoutMs: healthTimeoutMs,
    bytesMax: healthBytesMax,
    // The check of the certificate is another one.
    rejectUnauthorized: false,
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('it is not Verbatim');
  }
}
