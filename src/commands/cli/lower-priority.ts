/** The priority of builds and backups beside a server. */
import { getPriority, setPriority } from 'node:os';
import type { Settings } from '../../settings/config.ts';

/**
 * Gives the process the nice value of the settings, unless it was started with a higher one. Threads
 * inherit it, so this comes before any thread starts.
 */
export function lowerPriority({ buildNiceness }: Pick<Settings, 'buildNiceness'>): void {
  if (getPriority() < buildNiceness) setPriority(buildNiceness);
}
