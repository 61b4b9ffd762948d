/** Files of records of every format, mutated by their structure. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { formatNamed } from '../../../src/ingest/formats.ts';
import { edits, encode, encoding, mutate } from '../mutate.ts';
import type { FuzzTarget } from '../target.ts';
import { readFile } from './check-file.ts';
import { type Fixture, readFixtures } from './fixtures.ts';

export const records: FuzzTarget = {
  name: 'records',
  description: 'files of records in every format that index add reads',
  share: 0.08,
  async open({ folder }) {
    const fixtures = readFixtures();
    const path = join(folder, 'records');
    const fixture = fc.nat(fixtures.length - 1);
    const property = fc.asyncProperty(
      ...([fixture, edits, encoding, fc.boolean()] as const),
      async (index, given, name, isNamed) => {
        const { format, family, text, hasLines } = fixtures[index] as Fixture;
        const mutated = mutate(text, family, given);
        // Records before and behind the damage, on lines of their own, must be read. The first one
        // tells how a file is arranged, so it is intact.
        const hasIntact = hasLines && name === 'utf8' && isNamed;
        const content = hasIntact ? `${text}${mutated}\n${text}` : mutated;
        writeFileSync(path, encode(content, name));
        const { forecasts } = await readFile(path, isNamed ? formatNamed(format) : undefined);
        if (!hasIntact) return;
        writeFileSync(path, text);
        const intact = await readFile(path, formatNamed(format));
        const count = (readings: typeof forecasts): number =>
          readings.reduce((sum, { taken, deletions }) => sum + taken + deletions, 0);
        assert.ok(
          count(forecasts) >= 2 * count(intact.forecasts),
          `records around the damage were not read (${format})`,
        );
      },
    );
    return { property, close: () => {} };
  },
};
