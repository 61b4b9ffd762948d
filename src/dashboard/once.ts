/**
 * Work that a form does once, however often the same copy of it is sent: by two clicks, or anew.
 * In memory, for a while, and bounded; the oldest goes first.
 */
export interface Once<Result> {
  /** What the work came to; a copy's first sending does it. Work that fails is done anew. */
  run(owner: number, copy: string, work: () => Promise<Result>): Promise<Result>;
}

export interface OnceOptions {
  formsMax: number;
  lifetimeMs: number;
}

export function createOnce<Result>({ formsMax, lifetimeMs }: OnceOptions): Once<Result> {
  const results = new Map<string, Promise<Result>>();
  return {
    run(owner, copy, work) {
      const name = `${owner} ${copy}`;
      const known = results.get(name);
      if (known !== undefined) return known;
      const [oldest] = results.keys();
      if (results.size >= formsMax && oldest !== undefined) results.delete(oldest);
      const result = work();
      const forget = (): void => {
        if (results.get(name) === result) results.delete(name);
      };
      results.set(name, result);
      setTimeout(forget, lifetimeMs).unref();
      result.catch(forget);
      return result;
    },
  };
}
