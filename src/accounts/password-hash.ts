/**
 * Hashes passwords with Node's scrypt, off the event loop and a few at a time. A hash carries its
 * parameters: `$scrypt$ln=15,r=8,p=3$SALT$HASH`, with salt and hash in base64.
 */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { VerbatimError } from '../errors.ts';

/**
 * With N = 2^15, which `passwordHashDoublings` sets, one of the equivalent settings of the OWASP Password
 * Storage Cheat Sheet; 32 MiB.
 */
const FACTORS = { r: 8, p: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const FORM =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)$/;

/**
 * The queue in which a password waits. Known browsers have their own, so strangers cannot keep them
 * out by filling the other. The two queues take turns.
 */
export type Queue = 'known' | 'strangers';

export interface PasswordHasher {
  /**
   * Hashes a password, in the `known` queue. Rejects with `at_capacity` if too many wait, as does
   * `verify`.
   */
  hash(password: string): Promise<string>;
  /**
   * Resolves to whether the password matches a stored hash. Without one it performs the same work,
   * so timing does not reveal which accounts exist.
   */
  verify(password: string, stored: string | null, line?: Queue): Promise<boolean>;
  /** Returns whether a stored hash should be renewed because its parameters are outdated. */
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
  passwordHashDoublings: number;
}

export function createPasswordHasher(options: PasswordHasherOptions): PasswordHasher {
  const inTurn = createTurns(options);
  const parameters = { ln: options.passwordHashDoublings, ...FACTORS };
  const decoy = format(parameters, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const hash = await inTurn('known', () => derive(password, { ...parameters, salt }));
      return format(parameters, salt, hash);
    },
    async verify(password, stored, line = 'strangers') {
      const { hash, ...how } = parse(stored ?? decoy);
      const derived = await inTurn(line, () => derive(password, how));
      return timingSafeEqual(derived, hash) && stored !== null;
    },
    isOutdated(stored) {
      const { ln, r, p } = parse(stored);
      return ln !== parameters.ln || r !== parameters.r || p !== parameters.p;
    },
  };
}

function derive(
  password: string,
  { ln, r, p, salt }: Parameters & { salt: Buffer },
): Promise<Buffer> {
  const N = 2 ** ln;
  // What OpenSSL needs: its blocks, and two more.
  const options: ScryptOptions = { N, r, p, maxmem: 128 * r * (N + p + 2) };
  // Systems encode the same typed character as different code points.
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
  if (hash === '') throw new Error('a stored password hash has an unknown format');
  return {
    ln: Number(ln),
    r: Number(r),
    p: Number(p),
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}

/** Runs a few tasks at a time. Rejects with `at_capacity` if a queue is full. */
function createTurns({ passwordHashesMax, passwordHashesWaitingMax }: PasswordHasherOptions) {
  const waiting: Record<Queue, (() => void)[]> = { known: [], strangers: [] };
  let lastServed: Queue = 'strangers';
  let running = 0;
  const takeNext = (): (() => void) | undefined => {
    const other = lastServed === 'known' ? 'strangers' : 'known';
    const line = waiting[other].length > 0 ? other : lastServed;
    lastServed = line;
    return waiting[line].shift();
  };
  return async <Result>(line: Queue, work: () => Promise<Result>): Promise<Result> => {
    if (running >= passwordHashesMax) {
      if (waiting[line].length >= passwordHashesWaitingMax) throw new VerbatimError('at_capacity');
      // The task that finishes passes on its slot.
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
