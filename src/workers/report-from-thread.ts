/** What a thread says besides its results. */
import { parentPort } from 'node:worker_threads';
import type { Damage } from '../database/damage/damage-register.ts';

export interface ThreadMessage {
  damage: Damage;
}

/** Reports damage from a thread to the `onDamage` of its pool: damage in spite of which it has a result. */
export function reportFromThread(damage: Damage): void {
  parentPort?.postMessage({ damage } satisfies ThreadMessage);
}
