/** A target that breaks its word is reported so that the failure can be repeated. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runTarget } from './run-target.ts';

const broken = {
  name: 'broken',
  open: async () => ({
    property: fc.property(fc.nat(1_000), (number) => {
      if (number > 900) throw new RangeError(`${number} is too much`);
    }),
    close: () => {},
  }),
};

it('stops at the first failure, shrinks it, and says how to repeat it', async () => {
  const options = { folder: '', index: '', seed: 3, cases: 10_000 };
  const { cases, failure } = await runTarget(broken, options);
  expect(cases).toBeLessThan(10_000);
  expect(failure).toMatch(/^repeat with VERBATIM_TEST_SEED=\d+\n/);
  expect(failure).toContain('Counterexample: [901]');
  expect(failure).toContain('RangeError: 901 is too much');
});
