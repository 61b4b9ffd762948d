/**
 * Values that one customer may fetch for a short while, in memory only: they bridge the redirect
 * after a form. Bounded for each owner and in all, see evict.ts.
 */
import { randomBytes } from 'node:crypto';
import { evicted } from './evict.ts';

export interface ExpiringStore<Value> {
  /** Keeps a value for its owner; returns the name to fetch it by. */
  put(owner: number, value: Value): string;
  /** The value, which stays; undefined for another owner's, and when its time is over. */
  get(owner: number, name: string): Value | undefined;
  /** The value, which goes. */
  take(owner: number, name: string): Value | undefined;
  /** Drops all values. */
  clear(): void;
}

export interface ExpiringStoreOptions<Value> {
  valuesMax: number;
  valuesPerOwnerMax: number;
  lifetimeMs: number;
  /** Called with each value that goes without having been taken. */
  onDropped?: (value: Value) => void;
}

const NAME_BYTES = 16;

export function createExpiringStore<Value>(
  options: ExpiringStoreOptions<Value>,
): ExpiringStore<Value> {
  const entries = new Map<string, { owner: number; value: Value; timer: NodeJS.Timeout }>();
  const remove = (name: string): Value | undefined => {
    const entry = entries.get(name);
    if (entry === undefined) return undefined;
    clearTimeout(entry.timer);
    entries.delete(name);
    return entry.value;
  };
  const drop = (name: string): void => {
    const value = remove(name);
    if (value !== undefined) options.onDropped?.(value);
  };
  const isOwn = (owner: number, name: string): boolean => entries.get(name)?.owner === owner;
  return {
    put(owner, value) {
      const full = evicted(entries, owner, options);
      if (full !== undefined) drop(full);
      const name = randomBytes(NAME_BYTES).toString('base64url');
      const timer = setTimeout(() => drop(name), options.lifetimeMs).unref();
      entries.set(name, { owner, value, timer });
      return name;
    },
    get: (owner, name) => (isOwn(owner, name) ? entries.get(name)?.value : undefined),
    take: (owner, name) => (isOwn(owner, name) ? remove(name) : undefined),
    clear() {
      for (const name of [...entries.keys()]) drop(name);
    },
  };
}
