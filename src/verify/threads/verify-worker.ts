/** The role of a thread that verifies quotes and references, with its own connection. */
import { reportFromThread } from '../../workers/report-from-thread.ts';
import { openVerify, type VerifyOptions, type VerifyTask } from '../open-verify.ts';
import { type SoughtReference, soughtReferences } from '../references/sought.ts';
import { saysAnything } from '../says-anything.ts';

/** The results of a call. */
export interface VerifiedItems {
  /** As JSON: between threads, one string is copied faster than objects. */
  json: string;
  /** Whether something could be said of any item. */
  saysAnything: boolean;
  /** With lanes, the references that the index does not have. */
  sought: SoughtReference[];
}

export async function createVerifyHandler(
  data: VerifyOptions,
): Promise<(task: VerifyTask) => Promise<VerifiedItems>> {
  const { verify, refresh } = await openVerify(data, reportFromThread);
  return async (task) => {
    await refresh();
    const { items, lanes, lookedUp } = task;
    const results = await verify(items, task);
    const mayLookUp = lanes !== undefined && lookedUp === undefined;
    return {
      json: JSON.stringify({ n: results.length, items: results }),
      saysAnything: saysAnything(results),
      sought: mayLookUp ? await soughtReferences(items, results) : [],
    };
  };
}
