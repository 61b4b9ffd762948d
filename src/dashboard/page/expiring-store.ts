/**
 * A store with a time to live: values that only their owner may fetch. It bridges the redirect
 * after a form, in memory, limited per owner and in total (see evict.ts).
 */
import { randomBytes } from 'node:crypto';
import { evicted } from './evict.ts';

export interface ExpiringStore<Value> {
  /** Stores a value for its owner. Returns the name to fetch it by. */
  put(owner: number, value: Value): string;
  /** Returns the value and keeps it; undefined for another owner's value and after it expired. */
  get(owner: number, name: string): Value | undefined;
  /** Returns the value and removes it. */
  take(owner: number, name: string): Value | undefined;
  /** Drops all values. */
  clear(): void;
}

export interface ExpiringStoreOptions<Value> {
  valuesMax: number;
  valuesPerOwnerMax: number;
  lifetimeMs: number;
  /** Called for each value that is dropped without being taken. */
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
