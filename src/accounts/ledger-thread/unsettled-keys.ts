/**
 * Refuses the calls of keys whose calls cannot be charged, because damage was met where their usage is
 * written. Only the first such call was answered, and it was free.
 */

import type { DamageRegister } from '../../database/damage/damage-register.ts';
import { damageOf } from '../../database/damage/notice-damage.ts';
import { VerbatimError } from '../../errors.ts';
import type { AnswerMeasures } from '../sqlite/ledger/answer-measures.ts';
import type { HoldRequest } from '../sqlite/ledger/ledger.ts';
import type { AnswerToStore } from '../sqlite/ledger/stored-answers.ts';

/** The steps of paid calls, as in `LedgerWriter`. */
interface PaidSteps {
  hold(request: HoldRequest): Promise<number | undefined>;
  settle(requestId: string, measures?: AnswerMeasures): Promise<number | undefined>;
  release(requestId: string): Promise<number | undefined>;
  storeAnswer(answer: AnswerToStore): Promise<number>;
}

/**
 * Returns a writer that does the same, and whose holds reject with `degraded` for such keys until no
 * damage is known any more. More than `openHoldsMax` keys stand for all keys.
 */
export function refuseUnsettledKeys<Writer extends PaidSteps>(
  writer: Writer,
  damage: Pick<DamageRegister, 'all'>,
  openHoldsMax: number,
): Writer {
  const unsettled = new Set<number>();
  /** The keys of open holds, by request. The writer bounds them. */
  const keys = new Map<string, number>();
  const isRefused = (keyId: number): boolean => {
    if (unsettled.size === 0) return false;
    if (damage.all().length === 0) unsettled.clear();
    return unsettled.has(keyId) || unsettled.size > openHoldsMax;
  };
  return {
    ...writer,
    async hold(request) {
      const { keyId, requestId } = request;
      if (isRefused(keyId)) throw new VerbatimError('degraded');
      const balance = await writer.hold(request);
      if (balance !== undefined) keys.set(requestId, keyId);
      return balance;
    },
    async settle(requestId, measures) {
      const keyId = keys.get(requestId);
      keys.delete(requestId);
      try {
        return await writer.settle(requestId, measures);
      } catch (error) {
        if (keyId !== undefined && damageOf(error) !== undefined) unsettled.add(keyId);
        throw error;
      }
    },
    release(requestId) {
      keys.delete(requestId);
      return writer.release(requestId);
    },
    async storeAnswer(answer) {
      const balance = await writer.storeAnswer(answer);
      for (const id of [...answer.charged, ...answer.released]) keys.delete(id);
      return balance;
    },
  };
}
