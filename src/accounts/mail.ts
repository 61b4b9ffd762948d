/** Sends mail to one recipient. The only file that knows the mail library. */
import type { createTransport } from 'nodemailer';
import { VerbatimError } from '../errors.ts';
import type { Settings } from '../settings/config.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The same for readers that show HTML. */
  html?: string;
}

/**
 * A mail that was not confirmed. If it may have arrived nevertheless, sending it again could make two of
 * it.
 */
export class MailFailure extends VerbatimError {
  readonly mayHaveArrived: boolean;

  constructor(error: unknown) {
    super('mail_failed', `the mail was not accepted: ${describe(error)}`);
    this.mayHaveArrived = !wasRefused(error);
  }
}

/** Resolves when the mail server has accepted the mail. Rejects with `MailFailure`. */
export type SendMail = (mail: Mail) => Promise<void>;

export type MailSettings = Pick<Settings, 'smtpUrl' | 'mailFrom' | 'mailTimeoutMs'>;

type Transport = ReturnType<typeof createTransport>;

const PORT = 587;
const PORT_TLS = 465;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Creates the mailer; undefined if no mail server is set. Throws `usage` for invalid settings. The
 * library is loaded with the first mail.
 */
export function createMailer(settings: MailSettings): SendMail | undefined {
  if (settings.smtpUrl === '') return undefined;
  const server = parseServer(settings.smtpUrl);
  if (!settings.mailFrom.includes('@')) {
    throw new VerbatimError('usage', 'VERBATIM_MAIL_FROM must be the sender address of mails');
  }
  const { mailFrom: from, mailTimeoutMs } = settings;
  const connect = async (): Promise<Transport> => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      ...server,
      connectionTimeout: mailTimeoutMs,
      greetingTimeout: mailTimeoutMs,
      socketTimeout: mailTimeoutMs,
      dnsTimeout: mailTimeoutMs,
      // Our mails never name a file or an address to be fetched.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  let transport: Promise<Transport> | undefined;
  return async ({ to, ...words }) => {
    try {
      // One timeout for everything: a slow server could pass each of those above.
      const signal = AbortSignal.timeout(mailTimeoutMs);
      // As an object, the address is one recipient, whatever characters it contains.
      const recipient = { name: '', address: to };
      transport ??= connect();
      await (await transport).sendMail({ from, to: recipient, ...words, signal });
    } catch (error) {
      throw new MailFailure(error);
    }
  };
}

/**
 * Parses host, port, TLS and credentials. Errors name the variable but never its value, which is
 * secret.
 */
function parseServer(smtpUrl: string) {
  const url = URL.canParse(smtpUrl) ? new URL(smtpUrl) : undefined;
  const secure = url?.protocol === 'smtps:';
  if (url === undefined || url.hostname === '' || !(secure || url.protocol === 'smtp:')) {
    throw new VerbatimError(
      'usage',
      'VERBATIM_SMTP_URL must be smtps://USER:PASSWORD@HOST:PORT, or smtp:// for STARTTLS',
    );
  }
  const auth = { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) };
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? PORT_TLS : PORT) : Number(url.port),
    secure,
    // Links and passwords leave this machine only over TLS.
    requireTLS: !secure && !LOOPBACK.test(url.hostname),
    ...(auth.user === '' ? {} : { auth }),
  };
}

/** Whether the server refused the mail, or was never reached. */
function wasRefused(error: unknown): boolean {
  const { code, responseCode, syscall } = error as NodeJS.ErrnoException & {
    responseCode?: number;
  };
  if (responseCode !== undefined || code === 'EDNS' || code === 'EAUTH') return true;
  return syscall === 'connect' || syscall === 'getaddrinfo';
}

/** Describes the kind of failure. The server's own words may quote what was sent. */
function describe(error: unknown): string {
  const { name, code, responseCode } = error as Error & { code?: string; responseCode?: number };
  const kind = name === 'AbortError' || name === 'TimeoutError' ? 'took too long' : (code ?? name);
  return responseCode === undefined ? kind : `${kind}, answer ${responseCode}`;
}
