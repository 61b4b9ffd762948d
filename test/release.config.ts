import { defineConfig } from 'vitest/config';
import { releaseTests, sharedOptions } from './vitest.config.ts';

/** The slow tests, which `.ci/run` runs after `npm test`. */
export default defineConfig({
  test: { ...sharedOptions, include: releaseTests },
});
