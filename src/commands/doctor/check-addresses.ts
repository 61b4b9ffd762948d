/** Whether the address to listen on, the public address, the proxies, and TLS fit together. */
import { isIP } from 'node:net';
import type { Settings } from '../../settings/config.ts';
import { type Check, type Finding, ok, warning } from './check.ts';

export const checkAddresses: Check = {
  name: 'addresses',
  run({ settings }) {
    const findings = rules.flatMap(({ applies, finding }) => (applies(settings) ? [finding] : []));
    const { host, port, publicUrl } = settings;
    if (findings.length > 0) return findings;
    return [ok(`listens on ${host}:${port}, reached as ${publicUrl || 'localhost'}`)];
  },
};

const isPublicTls = ({ publicUrl }: Settings): boolean => /^https:/i.test(publicUrl);
const hasTls = ({ tlsCertificate }: Settings): boolean => tlsCertificate !== '';
const isLocal = ({ host }: Settings): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

const rules: readonly { applies: (settings: Settings) => boolean; finding: Finding }[] = [
  {
    applies: (settings) => !hasTls(settings) && !isLocal(settings) && !isPublicTls(settings),
    finding: warning(
      'the server speaks plain HTTP to other machines, so others can read the keys',
      'set VERBATIM_TLS_CERTIFICATE and VERBATIM_TLS_KEY, or use a proxy and VERBATIM_HOST=127.0.0.1',
    ),
  },
  {
    applies: (settings) =>
      isPublicTls(settings) && !hasTls(settings) && settings.proxiesTrusted === 0,
    finding: warning(
      'behind a proxy, all customers seem to come from its address',
      'set VERBATIM_PROXIES_TRUSTED to the number of your proxies',
    ),
  },
  {
    applies: (settings) => settings.proxiesTrusted > 0 && !isLocal(settings) && !hasTls(settings),
    finding: warning(
      'who reaches the port without the proxy chooses the address that is logged and limited',
      'set VERBATIM_HOST=127.0.0.1, or let a firewall admit only the proxy',
    ),
  },
  {
    applies: (settings) => hasTls(settings) && settings.publicUrl !== '' && !isPublicTls(settings),
    finding: warning(
      'the server speaks TLS, but VERBATIM_PUBLIC_URL is http, so cookies are not Secure',
      'set VERBATIM_PUBLIC_URL to the https address',
    ),
  },
];
