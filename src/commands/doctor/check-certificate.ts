/** The certificate: the pair, its dates, its names, and who may read the key. */
import { statSync } from 'node:fs';
import { messageOf } from '../../errors.ts';
import {
  datesFault,
  readTlsIdentity,
  type TlsIdentity,
  tlsFilesOf,
} from '../../http/tls-identity.ts';
import { type Check, error, type Finding, ok, warning } from './check.ts';

const DAY_MS = 86_400_000;
/** Certificates of 90 days are renewed when 30 are left. */
const DAYS_LEFT_MIN = 30;
const OTHERS = 0o007;

export const checkCertificate: Check = {
  name: 'certificate',
  run({ settings, now }) {
    let identity: TlsIdentity;
    try {
      const files = tlsFilesOf(settings);
      if (files === undefined) return [ok('none: no TLS')];
      identity = readTlsIdentity(files);
    } catch (cause) {
      return [error(messageOf(cause), 'change the settings, or install certificate and key again')];
    }
    const { keyFile } = identity;
    const findings = [dates(identity, now), ...names(identity, hostOf(settings.publicUrl))];
    if (statSync(keyFile).mode & OTHERS) {
      const found = `every user may read or write ${keyFile}`;
      findings.push(warning(found, `chmod 640 ${keyFile}`));
    }
    return findings;
  },
};

function dates(identity: TlsIdentity, now: number): Finding {
  const renew = 'renew it, then send the server SIGHUP';
  const fault = datesFault(identity, now);
  if (fault !== undefined) return error(fault, renew);
  const days = Math.floor((identity.validTo - now) / DAY_MS);
  const found = `for ${identity.names.join(', ')}, ${days} days left`;
  return days < DAYS_LEFT_MIN ? warning(found, renew) : ok(found);
}

/** The host of the public address; '' if there is none, or it is no address. */
function hostOf(publicUrl: string): string {
  return URL.canParse(publicUrl) ? new URL(publicUrl).hostname : '';
}

function names({ hasName, names }: TlsIdentity, host: string): Finding[] {
  if (host === '' || hasName(host)) return [];
  const found = `the certificate is for ${names.join(', ')}, not for ${host} in VERBATIM_PUBLIC_URL`;
  return [error(found, `get a certificate for ${host}`)];
}
