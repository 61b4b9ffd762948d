import { defineConfig } from 'vitest/config';
import { LongestFirst, releaseProjects } from './release.config.ts';
import { fsModuleCache, globalSetup, projects, sharedOptions } from './vitest.config.ts';

/** Both suites in one run, which `.ci/run` makes: it has one build, one index, and one browser. */
export default defineConfig({
  test: {
    ...sharedOptions,
    globalSetup,
    experimental: { fsModuleCache },
    sequence: { sequencer: LongestFirst },
    projects: [...projects, ...releaseProjects],
  },
});
