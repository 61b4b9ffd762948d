/** Verifies in this process, for `verbatim mcp`. Nothing costs anything. */
import type { Lanes } from '../lanes/lane/lane.ts';
import { lookUpReferences, planLookUps } from '../lanes/plan-look-ups.ts';
import type { Settings } from '../settings/config.ts';
import type { OpenVerify, VerifyRequest, VerifyResult } from '../verify/open-verify.ts';
import { soughtReferences } from '../verify/references/sought.ts';

/** Asks the lanes that are on and that the request names about what the index does not have. */
export async function verifyLocally(
  { verify }: Pick<OpenVerify, 'verify'>,
  { items, include, lanes: choice }: VerifyRequest,
  { lanes, settings }: { lanes: Lanes | undefined; settings: Settings },
): Promise<VerifyResult[]> {
  const given = include === undefined ? {} : { include };
  const results = await verify(items, given);
  const sought = choice === undefined ? [] : await soughtReferences(items, results);
  if (choice === undefined || sought.length === 0) return results;
  const plan = planLookUps(sought, { choices: [choice], names: lanes?.names ?? [] }, settings);
  const lookedUp = await lookUpReferences(plan, async (reference, options) =>
    lanes === undefined ? { documents: [], answers: {} } : lanes.lookUp(reference, options),
  );
  return await verify(items, { ...given, lookedUp });
}
