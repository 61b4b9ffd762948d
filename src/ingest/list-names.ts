/** Reads which records files have, by their names, before a build reads the files. */

import { messageOf } from '../errors.ts';
import { isPersonal, type Source } from '../identity/kept-record.ts';
import { createNameSet, type NameSet } from './name-set.ts';
import { createEntryNormalizer } from './normalize-entries.ts';
import type { Input, PassedOver } from './read/input.ts';
import type { FormatLimits, SkipReason } from './read/packed-format.ts';
import { type Reading, readInput } from './read-input.ts';

export interface ListedNames {
  names: NameSet;
  records: number;
  /** The sources of tables and personal bibliographies among them. */
  personal: Set<Source>;
  /** Entries whose record is not known, by the reason. */
  unknown: Partial<Record<SkipReason, number>>;
  /** What is wrong with the files that could not be read to the end. */
  damaged: string[];
  passedOver: PassedOver[];
}

export interface ListOptions {
  reading: Reading;
  limits: FormatLimits;
  signal: AbortSignal;
  /** Called with the number of records so far. */
  progress?: (records: number) => void;
}

/** Stops early after the signal. */
export async function listNames(
  inputs: readonly Input[],
  { reading, limits, signal, progress = () => {} }: ListOptions,
): Promise<ListedNames> {
  const listed: ListedNames = {
    names: createNameSet(),
    records: 0,
    personal: new Set(),
    unknown: {},
    damaged: [],
    passedOver: [],
  };
  for (const input of inputs) {
    await readInput(input, reading, {
      async read({ source, format, name }) {
        const { normalize } = createEntryNormalizer(format, name);
        for await (const entry of format.entries(source, limits)) {
          if (signal.aborted) return;
          const normalized = normalize(entry);
          if ('record' in normalized) {
            const { record } = normalized;
            listed.names.add(record);
            if (isPersonal(record)) listed.personal.add(record.source);
          } else if ('problem' in normalized) {
            const { reason } = normalized;
            listed.unknown[reason] = (listed.unknown[reason] ?? 0) + 1;
          }
          progress(++listed.records);
        }
      },
      passedOver: (passed) => void listed.passedOver.push(passed),
      failed: (_, error) => void listed.damaged.push(messageOf(error)),
      shouldStop: () => signal.aborted,
    });
  }
  return listed;
}
