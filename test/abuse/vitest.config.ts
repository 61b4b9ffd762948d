import { defineConfig } from 'vitest/config';
import { sharedOptions } from '../vitest.config.ts';

/** What strangers do to the wire and the machine: slower than `npm test`, and run by `.ci/run`. */
export default defineConfig({
  // Some of them fill a disk, or try a thousand passwords.
  test: { ...sharedOptions, testTimeout: 600_000, include: ['abuse/**/*.test.ts'] },
});
