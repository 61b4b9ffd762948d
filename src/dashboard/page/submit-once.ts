/**
 * Idempotent form submission: a form with the same idempotency key does its work once, however
 * often it is sent.
 * Results are kept in memory for a while, limited per owner and in total (see evict.ts).
 */
import { evicted } from './evict.ts';

export interface SubmitOnce<Result> {
  /**
   * Runs the work on the first submission with a key, and returns that result for every later one.
   * Failed work runs again.
   */
  run(owner: number, idempotencyKey: string, work: () => Promise<Result>): Promise<Result>;
}

export interface SubmitOnceOptions {
  formsMax: number;
  formsPerOwnerMax: number;
  lifetimeMs: number;
}

export function createSubmitOnce<Result>(options: SubmitOnceOptions): SubmitOnce<Result> {
  const bounds = { valuesMax: options.formsMax, valuesPerOwnerMax: options.formsPerOwnerMax };
  const forms = new Map<string, { owner: number; result: Promise<Result> }>();
  return {
    run(owner, idempotencyKey, work) {
      const name = `${owner} ${idempotencyKey}`;
      const known = forms.get(name);
      if (known !== undefined) return known.result;
      const full = evicted(forms, owner, bounds);
      if (full !== undefined) forms.delete(full);
      const form = { owner, result: work() };
      const forget = (): void => {
        if (forms.get(name) === form) forms.delete(name);
      };
      forms.set(name, form);
      setTimeout(forget, options.lifetimeMs).unref();
      form.result.catch(forget);
      return form.result;
    },
  };
}
