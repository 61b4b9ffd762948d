/** The names of a list, which may be more than a Set can hold. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createNameSet } from '../../src/ingest/name-set.ts';
import { recordOf } from '../identity/records.ts';

it('has what was added, and nothing else, also between two questions', () => {
  const name = fc.nat(5_000).map(String);
  fc.assert(
    fc.property(fc.array(name, { maxLength: 3_000 }), fc.array(name), (added, asked) => {
      const [names, known] = [createNameSet(), new Set<string>()];
      for (const [at, id] of added.entries()) {
        names.add(recordOf({ id }));
        known.add(id);
        if (at % 1_000 === 0) expect(names.has(recordOf({ id }))).toBe(true);
      }
      for (const id of asked) expect(names.has(recordOf({ id }))).toBe(known.has(id));
    }),
    { numRuns: 30 },
  );
});
