/** Tells cheaply whether a database has changed, so that what was read from it can be kept. */
import type { Connection } from './connection.ts';

export interface ChangeWatch {
  /**
   * Returns a number that is another one after a change, whoever made it. It looks at the database at
   * most once per turn of the event loop. That is soon enough: a request that was sent after a change
   * is handled in a later turn than one that was handled before it.
   */
  version(): number;
}

/**
 * Watches through a connection. A look takes locks of the file, six calls of the operating system:
 * under a flood of requests that would be a fifth of the time of each.
 */
export function createChangeWatch(db: Connection): ChangeWatch {
  // The first changes with every commit of another connection, the second with every own change.
  const readOthers = db.prepare('PRAGMA data_version').pluck();
  const readOwn = db.prepare('SELECT total_changes()').pluck();
  let others: unknown;
  let own: unknown;
  let version = 0;
  let isCurrent = false;
  const expire = (): void => {
    isCurrent = false;
  };
  return {
    version() {
      if (isCurrent) return version;
      const [newOthers, newOwn] = [readOthers.get(), readOwn.get()];
      if (newOthers !== others || newOwn !== own) version++;
      others = newOthers;
      own = newOwn;
      isCurrent = true;
      setImmediate(expire);
      return version;
    },
  };
}

export interface KeptOptions {
  watch: ChangeWatch;
  /** Values that are kept. Beyond it, each is read anew. */
  keptMax: number;
}

/** Returns a function that keeps what `read` returns, other than undefined, until the database changes. */
export function keepUntilChange<Key, Value>(
  read: (key: Key) => Value,
  { watch, keptMax }: KeptOptions,
): (key: Key) => Value {
  const kept = new Map<Key, Value>();
  let version: number | undefined;
  return (key) => {
    const current = watch.version();
    if (current !== version) kept.clear();
    version = current;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const value = read(key);
    if (value !== undefined && kept.size < keptMax) kept.set(key, value);
    return value;
  };
}
