/** The role of a thread that verifies quotes and references, with its own connection. */
import { reportFromThread } from '../../workers/report-from-thread.ts';
import { openVerify, type VerifyOptions, type VerifyRequest } from '../open-verify.ts';

/** The results of a call. */
export interface VerifiedItems {
  /** As JSON: between threads, one string is copied faster than objects. */
  json: string;
  /** Whether something could be said of any item. */
  saysAnything: boolean;
}

/** Verdicts that say nothing about a quote or a reference. */
const SILENT: readonly string[] = ['not_indexed', 'unreadable'];

export async function createVerifyHandler(
  data: VerifyOptions,
): Promise<(request: VerifyRequest) => Promise<VerifiedItems>> {
  const { verify, refresh } = await openVerify(data, reportFromThread);
  return async ({ items, include }) => {
    await refresh();
    const results = await verify(items, include);
    return {
      json: JSON.stringify({ n: results.length, items: results }),
      saysAnything: results.some(({ verdict }) => !SILENT.includes(verdict)),
    };
  };
}
