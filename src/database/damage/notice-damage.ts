/** Notices damage where a request met it. */
import { VerbatimError } from '../../errors.ts';
import { faultOf, isDamage, sqliteCodeOf } from '../sqlite/faults.ts';
import type { DamageRegister } from './damage-register.ts';
import type { PartInUse } from './parts.ts';

/** Returns why SQLite says that its file is damaged; undefined for any other error. */
export function damageOf(error: unknown): string | undefined {
  return isDamage(error) ? faultOf({ code: sqliteCodeOf(error) }) : undefined;
}

/**
 * Reports an error that is damage. Returns what the caller throws: `degraded` in place of damage, and
 * any other error itself.
 */
export function noticeDamage(
  register: Pick<DamageRegister, 'report'>,
  { part, isBlocking }: PartInUse,
  error: unknown,
): unknown {
  const words = damageOf(error);
  if (words === undefined) return error;
  register.report({ part, isBlocking, reason: `${part}: ${words}` });
  return new VerbatimError('degraded', undefined, { cause: error });
}

/**
 * Returns a function that does the same and notices damage, whether it throws or rejects. It throws
 * `degraded` in place of damage.
 */
export function noticing<Args extends unknown[], Result>(
  register: Pick<DamageRegister, 'report'>,
  part: PartInUse,
  work: (...args: Args) => Result,
): (...args: Args) => Result {
  const toThrow = (error: unknown): never => {
    throw noticeDamage(register, part, error);
  };
  return (...args) => {
    try {
      const result = work(...args);
      return result instanceof Promise ? (result.catch(toThrow) as Result) : result;
    } catch (error) {
      return toThrow(error);
    }
  };
}

/** Returns an object whose methods do the same and notice damage, each in the part that it uses. */
export function noticingAll<Methods extends object>(
  register: Pick<DamageRegister, 'report'>,
  partOf: (name: string) => PartInUse,
  methods: Methods,
): Methods {
  const entries = Object.entries(methods).map(([name, method]) => [
    name,
    typeof method === 'function' ? noticing(register, partOf(name), method) : method,
  ]);
  return Object.fromEntries(entries) as Methods;
}
