/** Writes lists of steps on PostgreSQL, each in one round trip and one transaction. */

import { type Database, isDuplicate, isRaised } from '../../database/postgres/postgres-database.ts';
import { VerbatimError } from '../../errors.ts';
import { failureOf } from '../../workers/outcome.ts';
import type { LedgerOperation, LedgerResult } from '../ledger-thread/ledger-worker.ts';
import type { LedgerPool } from '../ledger-thread/ledger-writer.ts';
import { applySteps, renewLease, type Step, storeAnswer } from './postgres-paid-calls.ts';

/** The node that holds, and how long it is believed to live after its last sign. */
export interface NodeLease {
  nodeId: string;
  leaseMs: number;
}

/** Account and payment changes are not put into lists. */
export function createStepPool(database: Database, lease: NodeLease): LedgerPool {
  const writeOther = async (operation: LedgerOperation): Promise<unknown> => {
    if (operation.kind === 'answer') {
      return await storeAnswer(database, operation.answer, lease.nodeId).catch((error: unknown) => {
        // Another node answers the same request.
        if (isDuplicate(error)) throw new VerbatimError('idempotency_in_flight');
        throw isRaised(error) ? new HoldReleased() : error;
      });
    }
    if (operation.kind === 'probe') {
      return await renewLease(database, lease.nodeId, lease.leaseMs);
    }
    throw new Error(`${operation.kind} is not a step`);
  };
  return {
    async run(task) {
      // The write-ahead log of PostgreSQL needs nobody.
      if (!Array.isArray(task)) return [];
      if (task.length === 0) await database.query('SELECT 1');
      const applied = (await applyAll(database, task.filter(isStep), lease)).values();
      const results: LedgerResult[] = [];
      for (const operation of task) {
        const result = isStep(operation)
          ? applied.next().value
          : await outcomeOf(() => writeOther(operation));
        if (result !== undefined) results.push(result);
      }
      return results;
    },
    underWay: () => 0,
    counts: () => ({ threads: 0, tasks: 0, threadsDied: 0 }),
    close: async () => {},
  };
}

function isStep(operation: LedgerOperation): operation is Step {
  const { kind } = operation;
  return kind === 'hold' || kind === 'settle' || kind === 'release';
}

/** Applies steps together, or one by one if one of them is refused for what it says. */
async function applyAll(
  database: Database,
  steps: readonly Step[],
  { nodeId }: NodeLease,
): Promise<LedgerResult[]> {
  if (steps.length === 0) return [];
  const apply = async (some: readonly Step[]): Promise<LedgerResult[]> => {
    const results = await applySteps(database, some, nodeId);
    return results.map(({ balance, failure }) =>
      failure === null
        ? { value: balance ?? undefined }
        : { failure: failureOf(new VerbatimError(failure)) },
    );
  };
  try {
    return await apply(steps);
  } catch (error) {
    if (isDegraded(error)) throw error;
  }
  const results: LedgerResult[] = [];
  for (const step of steps) {
    try {
      results.push(...(await apply([step])));
    } catch (error) {
      if (isDegraded(error)) throw error;
      results.push({ failure: failureOf(error) });
    }
  }
  return results;
}

/** Other nodes have released a hold of this one, whose lease was over. The database itself is well. */
class HoldReleased extends Error {}

async function outcomeOf(work: () => Promise<unknown>): Promise<LedgerResult> {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof HoldReleased) return { failure: failureOf(new VerbatimError('degraded')) };
    if (isDegraded(error)) throw error;
    return { failure: failureOf(error) };
  }
}

function isDegraded(error: unknown): boolean {
  return error instanceof VerbatimError && error.code === 'degraded';
}
