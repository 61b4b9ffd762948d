/** Decides whether an index comes close to a question. Pure. */
import { type Settings, settingsTable } from '../settings/config.ts';

/**
 * Compares the confidence of an answer with the threshold of the lanes, which is calibrated for this.
 * If the setting is a switch, 0 for never or 1 for always, the default applies.
 */
export function isClose(c: number, { laneConfidence }: Pick<Settings, 'laneConfidence'>): boolean {
  const isSwitch = laneConfidence <= 0 || laneConfidence >= 1;
  return c >= (isSwitch ? settingsTable.laneConfidence.value : laneConfidence);
}
