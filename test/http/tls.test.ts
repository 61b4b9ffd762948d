/** A server with a certificate, for real clients: handshakes, reloads, and what is no TLS. */
import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect as connectTcp } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/accounts.ts';
import { createAuthority, type Issued } from '../support/certificates.ts';
import { scrape } from '../support/scrape.ts';
import {
  copySampleIndex,
  createCustomer,
  removeDatabase,
  startService,
} from '../support/service.ts';
import { useService } from '../support/use-service.ts';

const folder = temporaryFolder();
const authority = createAuthority(folder);
const ca = readFileSync(authority.certificateFile);
/** The files that the server reads. */
const used: Issued = {
  certificateFile: join(folder, 'used.crt'),
  keyFile: join(folder, 'used.key'),
};
let secret = '';
let port = 0;
let issued = 0;

const service = useService({
  fill: (database) => {
    install(authority.issue('first'));
    return createCustomer(database);
  },
  env: {
    VERBATIM_TLS_CERTIFICATE: used.certificateFile,
    VERBATIM_TLS_KEY: used.keyFile,
    VERBATIM_REQUESTS_PER_MINUTE: '100000',
  },
  ready: (service, key) => {
    secret = key.secret;
    port = Number(new URL(service.url).port);
  },
});

function install({ certificateFile, keyFile }: Issued): void {
  copyFileSync(certificateFile, used.certificateFile);
  copyFileSync(keyFile, used.keyFile);
}

/** The serial number of the certificate that a new connection is served with. */
function serialNow(): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connectTls({ port, host: '127.0.0.1', ca }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

/** One request on a connection of its own, with any agent of its own. */
function health(): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', path: '/health', ca, agent: false };
    const sent = request(options, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    sent.once('error', reject).end();
  });
}

/** Sends SIGHUP and resolves to the next line about the certificate. */
async function hangUp(): Promise<Record<string, unknown>> {
  const before = service.log.length;
  const line = () => service.log.slice(before).find(({ event }) => /certif/.test(String(event)));
  service.process.kill('SIGHUP');
  await expect.poll(line, { interval: 10 }).toBeDefined();
  return line() as Record<string, unknown>;
}

describe('a client', () => {
  it('searches with curl, which checks the certificate', async () => {
    const { stdout } = await promisify(execFile)('curl', [
      ...['-sS', '--cacert', authority.certificateFile, `https://localhost:${port}/v1/search`],
      ...['-H', `Authorization: Bearer ${secret}`, '-H', 'Content-Type: application/json'],
      ...['-d', '{"query":"does sleep help memory","limit":1}'],
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ n: 1 });
  });

  it('searches from Node over one connection that stays open', async () => {
    expect(await Promise.all(Array.from({ length: 20 }, health))).toEqual(Array(20).fill(200));
  });

  it('gets Secure cookies and links with https', async () => {
    const { stdout } = await promisify(execFile)('curl', [
      ...[
        '-sSi',
        '--cacert',
        authority.certificateFile,
        `https://localhost:${port}/dashboard`,
        '-L',
      ],
    ]);
    expect(stdout).toMatch(/set-cookie: __Host-verbatim=[^\n]*Secure/i);
  });

  it.each(['TLSv1', 'TLSv1.1'] as const)('is refused with %s', async (version) => {
    const failed = await new Promise((resolve) => {
      const options = { port, host: '127.0.0.1', ca, minVersion: version, maxVersion: version };
      // OpenSSL itself refuses the old versions unless it is told otherwise.
      connectTls({ ...options, ciphers: 'DEFAULT@SECLEVEL=0' }, () => resolve(undefined)).once(
        'error',
        (error: NodeJS.ErrnoException) => resolve(error.code),
      );
    });
    expect(failed).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('is served with %s', async (version) => {
    const protocol = await new Promise((resolve, reject) => {
      const options = { port, host: '127.0.0.1', ca, minVersion: version, maxVersion: version };
      const socket: TLSSocket = connectTls(options, () => {
        resolve(socket.getProtocol());
        socket.destroy();
      });
      socket.once('error', reject);
    });
    expect(protocol).toBe(version);
  });
});

describe('SIGHUP', () => {
  beforeEach(async () => {
    install(authority.issue(`next-${++issued}`));
    await hangUp();
  });

  it('replaces the certificate, and no request of busy clients fails', async () => {
    const serials = new Set<string>();
    const statuses: number[] = [];
    let isOver = false;
    const clients = Array.from({ length: 4 }, async () => {
      while (!isOver) statuses.push(await health());
    });
    for (let reload = 0; reload < 5; reload++) {
      install(authority.issue(`busy-${reload}`));
      expect(await hangUp()).toMatchObject({ event: 'certificate_reloaded' });
      serials.add(await serialNow());
    }
    isOver = true;
    await Promise.all(clients);
    expect(serials.size).toBe(5);
    expect(statuses.length).toBeGreaterThan(20);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  });

  it('leaves open connections open', async () => {
    const socket = connectTls({ port, host: '127.0.0.1', ca });
    const ask = (): Promise<string> =>
      new Promise((resolve, reject) => {
        socket.once('data', (data) => resolve(String(data).split('\r\n')[0] ?? ''));
        socket.once('close', () => reject(new Error('closed')));
        socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
      });
    expect(await ask()).toBe('HTTP/1.1 200 OK');
    install(authority.issue('while-open'));
    expect(await hangUp()).toMatchObject({ event: 'certificate_reloaded' });
    expect(await ask()).toBe('HTTP/1.1 200 OK');
    socket.destroy();
  });

  it('does nothing if the files are the same', async () => {
    expect(await hangUp()).toMatchObject({
      event: 'certificate_unchanged',
      names: 'localhost, 127.0.0.1',
    });
  });

  const broken: [what: string, breakIt: () => void, reason: RegExp][] = [
    [
      'of another key',
      () => copyFileSync(authority.issue('other').keyFile, used.keyFile),
      /the key in \S+used\.key does not belong to the certificate in \S+used\.crt/,
    ],
    [
      'that has expired',
      () => install(authority.issue('expired', -1)),
      /the certificate in \S+ expired on \d{4}-\d\d-\d\d/,
    ],
    ['that is empty', () => writeFileSync(used.certificateFile, ''), /has no certificate in PEM/],
    [
      'that breaks off',
      () =>
        writeFileSync(used.certificateFile, readFileSync(used.certificateFile).subarray(0, 300)),
      /has no certificate in PEM form/,
    ],
    [
      'without a key',
      () => writeFileSync(used.keyFile, 'no key'),
      /has no private key in PEM form/,
    ],
  ];
  it.each(broken)('keeps the certificate in use for one %s', async (_what, breakIt, reason) => {
    const serial = await serialNow();
    breakIt();
    expect(await hangUp()).toMatchObject({
      level: 'error',
      event: 'certificate_not_reloaded',
      reason: expect.stringMatching(reason),
    });
    expect(await serialNow()).toBe(serial);
    expect(await health()).toBe(200);
  });
});

describe('a start with an expired certificate', () => {
  const expired = authority.issue('expired-at-start', -1);
  const env = {
    VERBATIM_TLS_CERTIFICATE: expired.certificateFile,
    VERBATIM_TLS_KEY: expired.keyFile,
    VERBATIM_METRICS_PORT: '0',
  };

  it('serves with --allow-expired, and the metrics have its end', async () => {
    const running = await startService(await copySampleIndex(), env, [], ['--allow-expired']);
    try {
      expect(running.log).toContainEqual(
        expect.objectContaining({ event: 'certificate_refused_by_clients' }),
      );
      const reading = await scrape(running.metricsUrl);
      const end = reading.sum('verbatim_certificate_end_timestamp_seconds') ?? Number.NaN;
      expect(end).toBeLessThan(Date.now() / 1000);
    } finally {
      await running.end();
      await removeDatabase(running.database);
    }
  });
});

describe('what is no TLS', () => {
  /** Sends bytes and resolves to all that came back until the server closed the connection. */
  function send(bytes: string | Buffer): Promise<string> {
    return new Promise((resolve) => {
      let text = '';
      const socket = connectTcp(port, '127.0.0.1', () => socket.write(bytes));
      socket.on('data', (data) => {
        text += data.toString('latin1');
      });
      socket.on('error', () => {}).once('close', () => resolve(text));
    });
  }

  it.each([
    ['plain HTTP', 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['random bytes', Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919) % 256))],
    [
      'a hello that breaks off and goes wrong',
      Buffer.from('16030102000100fffc0303ffffffff', 'hex'),
    ],
    [
      'a record of the greatest length',
      Buffer.concat([Buffer.from('160303ffff', 'hex'), Buffer.alloc(70_000)]),
    ],
  ])('%s ends the connection and nothing else', async (_what, bytes) => {
    expect(await send(bytes)).not.toContain('HTTP/1.1');
    expect(await health()).toBe(200);
  });

  it('connections that never say anything are closed, and others are served meanwhile', async () => {
    const sockets = Array.from({ length: 50 }, () => connectTcp(port, '127.0.0.1'));
    const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    for (const socket of sockets) socket.on('error', () => {}).resume();
    expect(await health()).toBe(200);
    await Promise.all(closed);
    expect(await health()).toBe(200);
  });
});
