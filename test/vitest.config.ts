import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    globalSetup: 'support/global-setup.ts',
    // Real servers with a real model start in some tests, on machines that may be busy.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // One more than the cores of the smallest machine: many tests wait for a process or a clock.
    maxWorkers: 3,
  },
});
