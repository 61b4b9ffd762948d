/** The same update of an index with and without kills. */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { copyIndex, indexIn } from './program.ts';
import type { StubbedSource } from './stubs.ts';

export interface Trial {
  /** The index is in its folder `index`. */
  folder: string;
  /** Gets one sentence for each thing that is wrong. */
  note: (sentence: string) => void;
}

/**
 * Updates an index, and kills and completes the same update in copies of it. Resolves to the requests of
 * the update, the number of kills, and whether all copies came to the same papers.
 */
export async function updateWithKills(
  { stub, env, requests: [, , repeatedMax] }: StubbedSource,
  { folder, note }: Trial,
  kills: number,
) {
  const [own, before, copy] = [join(folder, 'index'), join(folder, 'before'), join(folder, 'copy')];
  const countRequests = (): number => stub?.requests.length ?? 0;
  copyIndex(own, before);
  const index = indexIn(own, env);
  const earlier = countRequests();
  const runMs = await index.update();
  const requests = countRequests() - earlier;
  let [killed, isEqual] = [0, true];
  for (let kill = 0; kill < kills; kill++) {
    // Places are spread over the requests and over the time between two of them.
    const steps = Math.max(requests, 1);
    const place = ((kill + 0.5) / kills) * steps;
    const nth = Math.min(Math.floor(place) + 1, requests);
    const trial = indexIn(copy, env);
    let [delayMs, from, wasRunning] = [((place % 1) * runMs) / steps, 0, false];
    do {
      copyIndex(before, copy);
      from = countRequests();
      wasRunning = await trial.updateKilled(() => countRequests() >= from + nth, delayMs);
      // If the run ended before, the next copy is killed earlier.
      delayMs = Math.floor(delayMs / 2);
    } while (!wasRunning && delayMs > 0);
    await trial.update();
    const sent = countRequests() - from;
    const where = `killed at request ${nth} of ${requests},`;
    if (wasRunning) killed++;
    if (sent > requests + repeatedMax) note(`${where} it sent ${sent} requests`);
    if (isDeepStrictEqual(trial.papers(), index.papers())) continue;
    note(`${where} it came to other papers`);
    isEqual = false;
  }
  return { requests, killed, isEqual };
}
