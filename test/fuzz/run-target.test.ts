/** A target that breaks its word is reported so that the failure can be repeated. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runTarget } from '../../scripts/fuzz/run-target.ts';

const broken = {
  name: 'broken',
  description: '',
  share: 1,
  open: async () => ({
    property: fc.property(fc.nat(1_000), (number) => {
      if (number > 900) throw new RangeError(`${number} is too much`);
    }),
    close: () => {},
  }),
};

it('stops at the first failure, shrinks it, and says how to repeat it', async () => {
  const options = { folder: '', seed: 3, cases: 10_000, onProgress: () => {} };
  const { cases, failure } = await runTarget(broken, options);
  expect(cases).toBeLessThan(10_000);
  expect(failure).toMatch(/npm run measure -- fuzz --target broken --seed \d+ --cases 500/);
  expect(failure).toContain('Counterexample: [901]');
  expect(failure).toContain('RangeError: 901 is too much');
});
