/**
 * Hashes passwords with scrypt, Node's own, off the event loop and a few at a time. A hash carries
 * its parameters: `$scrypt$ln=15,r=8,p=3$SALT$HASH`, salt and hash in base64.
 */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { VerbatimError } from '../errors.ts';

/** One of the OWASP Password Storage Cheat Sheet's equals: N = 2^15, r = 8, p = 3; 32 MiB. */
const PARAMETERS = { ln: 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const FORM =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)$/;

/**
 * Where a password waits for its turn. Those who have been let in before have a line of their own,
 * so that strangers cannot keep them out by filling the other one; the two lines take turns.
 */
export type Line = 'known' | 'strangers';

export interface PasswordHasher {
  /** A new hash, for somebody known. Both reject with `at_capacity` where too many wait. */
  hash(password: string): Promise<string>;
  /**
   * Whether the password fits a stored hash. Without one it takes the same steps, with a hash that
   * nothing fits: by the time it takes nobody learns which accounts there are.
   */
  verify(password: string, stored: string | null, line?: Line): Promise<boolean>;
  /** Whether a stored hash should be made anew, having other parameters than today's. */
  isOutdated(stored: string): boolean;
}

interface Parameters {
  ln: number;
  r: number;
  p: number;
}

interface ParsedHash extends Parameters {
  salt: Buffer;
  hash: Buffer;
}

export interface PasswordHasherOptions {
  passwordHashesMax: number;
  passwordHashesWaitingMax: number;
}

export function createPasswordHasher(options: PasswordHasherOptions): PasswordHasher {
  const inTurn = createTurns(options);
  const decoy = format(PARAMETERS, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const hash = await inTurn('known', () => derive(password, { ...PARAMETERS, salt }));
      return format(PARAMETERS, salt, hash);
    },
    async verify(password, stored, line = 'strangers') {
      const { hash, ...how } = parse(stored ?? decoy);
      const derived = await inTurn(line, () => derive(password, how));
      return timingSafeEqual(derived, hash) && stored !== null;
    },
    isOutdated(stored) {
      const { ln, r, p } = parse(stored);
      return ln !== PARAMETERS.ln || r !== PARAMETERS.r || p !== PARAMETERS.p;
    },
  };
}

function derive(
  password: string,
  { ln, r, p, salt }: Parameters & { salt: Buffer },
): Promise<Buffer> {
  const N = 2 ** ln;
  // OpenSSL wants 128 * r * (N + p) bytes and a little more.
  const options: ScryptOptions = { N, r, p, maxmem: 129 * r * (N + p) + 1024 };
  // The same character typed on two systems may come as different code points.
  const text = password.normalize('NFKC');
  return new Promise((resolve, reject) => {
    scrypt(text, salt, HASH_BYTES, options, (error, hash) => {
      if (error === null) resolve(hash);
      else reject(error);
    });
  });
}

function format({ ln, r, p }: Parameters, salt: Buffer, hash: Buffer): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64')}$${hash.toString('base64')}`;
}

function parse(stored: string): ParsedHash {
  const [, ln, r, p, salt = '', hash = ''] = FORM.exec(stored) ?? [];
  if (hash === '') throw new Error('a stored password hash is none of ours');
  return {
    ln: Number(ln),
    r: Number(r),
    p: Number(p),
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}

/** Runs a few at a time; rejects with `at_capacity` above the bound of a line. */
function createTurns({ passwordHashesMax, passwordHashesWaitingMax }: PasswordHasherOptions) {
  const waiting: Record<Line, (() => void)[]> = { known: [], strangers: [] };
  let lastServed: Line = 'strangers';
  let running = 0;
  const takeNext = (): (() => void) | undefined => {
    const other = lastServed === 'known' ? 'strangers' : 'known';
    const line = waiting[other].length > 0 ? other : lastServed;
    lastServed = line;
    return waiting[line].shift();
  };
  return async <Result>(line: Line, work: () => Promise<Result>): Promise<Result> => {
    if (running >= passwordHashesMax) {
      if (waiting[line].length >= passwordHashesWaitingMax) throw new VerbatimError('at_capacity');
      // Whoever ends hands over its place.
      await new Promise<void>((resolve) => waiting[line].push(resolve));
    } else running++;
    try {
      return await work();
    } finally {
      const next = takeNext();
      if (next === undefined) running--;
      else next();
    }
  };
}
