/** Verifies in this process, for `verbatim mcp` and `verbatim verify`. Nothing costs anything. */
import type { Lanes } from '../lanes/lane/lane.ts';
import { lookUpReferences, planLookUps } from '../lanes/plan-look-ups.ts';
import type { Settings } from '../settings/config.ts';
import type { OpenVerify, VerifyRequest, VerifyResult } from '../verify/open-verify.ts';
import type { LookedUpReference } from '../verify/references/outside.ts';
import { type SoughtReference, soughtReferences } from '../verify/references/sought.ts';

/** Asks lanes about references. `choice` names the lanes. */
export type LookUp = (
  sought: readonly SoughtReference[],
  choice: string,
) => Promise<LookedUpReference[]>;

/** Asks the lanes that the request names about what the index does not have. */
export async function verifyLocally(
  { verify }: Pick<OpenVerify, 'verify'>,
  { items, include = [], lanes }: VerifyRequest,
  lookUp: LookUp,
): Promise<VerifyResult[]> {
  const results = await verify(items, { include });
  const sought = lanes === undefined ? [] : await soughtReferences(items, results);
  if (lanes === undefined || sought.length === 0) return results;
  return await verify(items, { include, lookedUp: await lookUp(sought, lanes) });
}

/** Asks those of the lanes that are on, within the limits of one call of the API. */
export function localLookUp(lanes: Lanes | undefined, settings: Settings): LookUp {
  return async (sought, choice) => {
    const plan = planLookUps(sought, { choices: [choice], names: lanes?.names ?? [] }, settings);
    return await lookUpReferences(plan, lanes?.lookUp);
  };
}

/** Asks about all references in rounds. Calls `onProgress` before each round. */
export function lookUpAll(
  lanes: Lanes,
  settings: Settings,
  onProgress: (done: number, all: number) => void,
): LookUp {
  const lookUp = localLookUp(lanes, settings);
  return async (sought, choice) => {
    const found: LookedUpReference[] = [];
    while (found.length < sought.length) {
      onProgress(found.length, sought.length);
      const next = sought.slice(found.length, found.length + settings.verifyLookUpsMax);
      found.push(...(await lookUp(next, choice)));
    }
    return found;
  };
}
