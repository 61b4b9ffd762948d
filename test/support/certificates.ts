/** Certificates of an authority that a test makes with openssl. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

export interface Issued {
  certificateFile: string;
  keyFile: string;
}

export interface Authority {
  certificateFile: string;
  /** Writes `name.crt` and `name.key` for localhost. With -1 days, the certificate has expired. */
  issue(name: string, days?: number): Issued;
}

function openssl(args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: 'pipe' });
}

export function createAuthority(folder: string): Authority {
  const at = (name: string): string => join(folder, name);
  const [caKey, caFile] = [at('ca.key'), at('ca.crt')];
  openssl(
    ['req', '-x509', ...KEY, '-keyout', caKey, '-out', caFile, '-days', '2'].concat(
      ...[['-subj', '/CN=Authority of a test']],
    ),
  );
  writeFileSync(at('names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1');
  return {
    certificateFile: caFile,
    issue(name, days = 90) {
      const [key, request, file] = [at(`${name}.key`), at(`${name}.csr`), at(`${name}.crt`)];
      openssl(['req', '-new', ...KEY, '-keyout', key, '-out', request, '-subj', '/CN=localhost']);
      openssl([
        ...['x509', '-req', '-in', request, '-CA', caFile, '-CAkey', caKey, '-CAcreateserial'],
        ...['-days', String(days), '-extfile', at('names'), '-out', file],
      ]);
      return { certificateFile: file, keyFile: key };
    },
  };
}
