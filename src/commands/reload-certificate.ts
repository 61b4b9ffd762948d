/** Reads the certificate again, when the operator asks for it, without losing a connection. */
import { messageOf } from '../errors.ts';
import type { HttpServer } from '../http/server.ts';
import { datesFault, readTlsIdentity, type TlsIdentity } from '../http/tls-identity.ts';
import type { Log } from '../log.ts';

export interface CertificateReloader {
  /** Logs what became of it. A defective certificate leaves the one in use. */
  reload(): void;
  /** The certificate in use; undefined without TLS. */
  current(): TlsIdentity | undefined;
}

/** `initial` is the certificate that the server was started with; undefined without TLS. */
export function createCertificateReloader(
  server: Pick<HttpServer, 'useCertificate'>,
  initial: TlsIdentity | undefined,
  log: Log,
): CertificateReloader {
  let current = initial;
  return {
    current: () => current,
    reload() {
      if (current === undefined) {
        log.info('nothing_to_reload', { reason: 'the server has no certificate' });
        return;
      }
      try {
        const next = readTlsIdentity(current);
        const fault = datesFault(next, Date.now());
        if (fault !== undefined) {
          log.error('certificate_not_reloaded', { reason: fault });
        } else if (next.fingerprint === current.fingerprint) {
          log.info('certificate_unchanged', describe(next));
        } else {
          server.useCertificate(next);
          current = next;
          log.info('certificate_reloaded', describe(next));
        }
      } catch (error) {
        log.error('certificate_not_reloaded', { reason: messageOf(error) });
      }
    },
  };
}

function describe({ names, validTo }: TlsIdentity): { names: string; valid_to: string } {
  return { names: names.join(', '), valid_to: new Date(validTo).toISOString() };
}
