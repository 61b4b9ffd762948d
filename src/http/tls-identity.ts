/**
 * The certificate and the key of the server, checked before the TLS library gets them: it refuses
 * files without a reason.
 */
import { createHash, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { messageOf, VerbatimError } from '../errors.ts';
import type { Settings } from '../settings/config.ts';

export interface TlsFiles {
  /** The server's certificate, followed by the intermediate ones, in PEM form. */
  certificateFile: string;
  /** The key of the certificate in PEM form, without a passphrase. */
  keyFile: string;
}

export interface TlsIdentity extends TlsFiles {
  /** The host names and addresses that the certificate is for. */
  names: string[];
  /** Whether the certificate is for a host name or an address. */
  hasName(host: string): boolean;
  /** The time in which clients accept the certificate, in milliseconds since 1970. */
  validFrom: number;
  validTo: number;
  /** A hash of both files. */
  fingerprint: string;
}

/**
 * Returns the files of the settings, undefined without TLS. Throws `usage` if one of the two is
 * missing.
 */
export function tlsFilesOf({
  tlsCertificate,
  tlsKey,
}: Pick<Settings, 'tlsCertificate' | 'tlsKey'>): TlsFiles | undefined {
  if (tlsCertificate === '' && tlsKey === '') return undefined;
  if (tlsCertificate !== '' && tlsKey !== '') {
    return { certificateFile: tlsCertificate, keyFile: tlsKey };
  }
  throw new VerbatimError('usage', 'TLS needs both VERBATIM_TLS_CERTIFICATE and VERBATIM_TLS_KEY');
}

/** Reads and checks both files. Throws `usage` that says which file has which defect. */
export function readTlsIdentity({ certificateFile, keyFile }: TlsFiles): TlsIdentity {
  const [certificateText, keyText] = [readPem(certificateFile), readPem(keyFile)];
  const [certificate, ...others] = parseCertificates(certificateText, certificateFile);
  const key = parseKey(keyText, keyFile);
  if (!certificate.checkPrivateKey(key)) {
    const isLater = others.some((other) => other.checkPrivateKey(key));
    const why = isLater
      ? `the server's own certificate must come first in ${certificateFile}`
      : `the key in ${keyFile} does not belong to the certificate in ${certificateFile}`;
    throw new VerbatimError('usage', why);
  }
  const hash = createHash('sha256').update(certificateText).update('\0').update(keyText);
  return {
    certificateFile,
    keyFile,
    names: namesOf(certificate),
    hasName: (host) =>
      (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined,
    validFrom: Date.parse(certificate.validFrom),
    validTo: Date.parse(certificate.validTo),
    fingerprint: hash.digest('hex'),
  };
}

/** Returns why clients refuse the certificate at a time; undefined if they accept its dates. */
export function datesFault(
  { certificateFile, validFrom, validTo }: TlsIdentity,
  now: number,
): string | undefined {
  const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
  if (now > validTo) return `the certificate in ${certificateFile} expired on ${day(validTo)}`;
  if (now < validFrom) {
    return `the certificate in ${certificateFile} is not valid before ${day(validFrom)}`;
  }
  return undefined;
}

function readPem(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new VerbatimError('usage', `cannot read ${path}: ${messageOf(error)}`);
  }
}

function parseCertificates(text: string, path: string): [X509Certificate, ...X509Certificate[]] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    const [first, ...others] = blocks.map((block) => new X509Certificate(block));
    if (first !== undefined) return [first, ...others];
  } catch (error) {
    throw new VerbatimError('usage', `${path} has a damaged certificate: ${messageOf(error)}`);
  }
  throw new VerbatimError('usage', `${path} has no certificate in PEM form`);
}

function parseKey(text: string, path: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === 'ERR_MISSING_PASSPHRASE'
        ? 'a key with a passphrase, which a server cannot ask for'
        : 'no private key in PEM form';
    throw new VerbatimError('usage', `${path} has ${why}`);
  }
}

/** Returns the alternative names, without the kinds that `node:crypto` puts before them. */
function namesOf({ subjectAltName = '' }: X509Certificate): string[] {
  return [...subjectAltName.matchAll(/(?:DNS|IP Address):([^,\s]+)/g)].map(([, name = '']) => name);
}
