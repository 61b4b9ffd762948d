import { join } from 'node:path';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/** What all suites have in common. */
export const sharedOptions = {
  root: import.meta.dirname,
  // A service in the test's own process has threads that run the bundle. Two copies of SQLite in one
  // process do not see each other's locks, and overwrite each other's commits.
  alias: {
    'better-sqlite3': join(import.meta.dirname, '../dist/node_modules/better-sqlite3/lib/index.js'),
  },
  // Tests load the ONNX runtime without the program's entry, which would see to it: src/commands/library-environment.ts.
  // The settings file of this machine is none of their business.
  env: {
    ORT_DISABLE_TELEMETRY: '1',
    VERBATIM_CONFIG: 'none',
    // A server that warms up keeps all cores busy for seconds. Some hundred servers start.
    VERBATIM_WARM_UP_SEARCHES: '0',
    // One more process for each of them; test/commands/file-checks.test.ts has it on.
    VERBATIM_FILE_CHECK_INTERVAL_HOURS: '0',
    // A second thread loads the model a second time, for each of some hundred small builds.
    VERBATIM_EMBED_THREADS: '1',
    // With their own priority, the lowest, builds hardly get on beside busy processes, and tests time out.
    VERBATIM_BUILD_NICENESS: '0',
  },
  // Only for what hangs: real servers with a real model start in some tests, on machines that may
  // be busy with eight other processes.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  // A state that surely comes is waited for: a second would be a race with the program.
  expect: { poll: { timeout: 300_000 } },
  // Two more than the cores of the smallest machine: many tests wait for a process or a clock.
  maxWorkers: 4,
};

/** Keeps what was compiled, so that the next run need not compile it again. */
export const fsModuleCache = true;

/** Of the suite as a whole: a project that had it too would run it once more. */
export const globalSetup = 'support/global-setup.ts';

/**
 * What `npm run test:release` runs instead of `npm test`: tests that fill disks, kill processes, try
 * a thousand passwords, take thousands of random steps, or go through whole sessions in a browser.
 */
export const releaseTests = [
  'abuse/**/*.test.ts',
  '{accounts/postgres,index}/postgres-*.test.ts',
  'bench/**/*.test.ts',
  'fuzz/fuzz-server.test.ts',
  'kill/**/*.test.ts',
  'large/**/*.test.ts',
  'overload/**/*.test.ts',
  'soak/**/*.test.ts',
  'commands/index/index-resume.test.ts',
  'commands/migrate-faults.test.ts',
  'commands/upgrade/upgrade.test.ts',
  'dashboard/docs/examples.test.ts',
  'dashboard/{accessibility,attacks,debt,first-minute,keyboard-and-script,lanes,large-ledger}.test.ts',
  'dashboard/{mailed-links,overview,public-address,requests,sessions,top-up}.test.ts',
  'dashboard/try*.test.ts',
  'lanes/{misbehaving-providers,stubbed-providers}.test.ts',
  '{commands/doctor/check-certificate,http/tls}.test.ts',
  'scripts/packaging/*.test.ts',
  'sources/source-kill.test.ts',
  'sources/sources-command.test.ts',
  'scripts/cluster/cluster.test.ts',
  'lanes/records/postgres-lanes.test.ts',
  '{accounts,index}/**/*-model.test.ts',
];

/**
 * Tests that leave nothing behind in their process. One process runs many of these files, so the
 * modules under test are loaded once.
 */
const sharingTests = [
  '*.test.ts',
  '{client,http,identity,index,ingest,lanes,mcp,metrics,models}/**/*.test.ts',
  '{monitoring,scripts,settings,text,vectors,verify}/**/*.test.ts',
  'accounts/{*,amounts/*,ledger-thread/*,move/*,payments/*,ports/*,sql/*,sqlite/*}.test.ts',
  'commands/{!(file-checks|warm-up),{cli,doctor,index,init,operation,setup}/*}.test.ts',
  'dashboard/**/*.test.ts',
  'database/{open,{damage,migrations}/*}.test.ts',
  // Not query-plans: it records the statements of modules that no other test has loaded.
  'database/sqlite/{change-watch,copy-database,process-lock,wal}.test.ts',
  'search/{*,eval/*,papers/*}.test.ts',
  'sources/*.test.ts',
  'workers/{batching,in-turn}.test.ts',
];

const exclude = [...configDefaults.exclude, ...releaseTests];

export const projects: TestProjectInlineConfiguration[] = [
  {
    test: {
      ...sharedOptions,
      name: 'own process',
      include: ['**/*.test.ts'],
      exclude: [...exclude, ...sharingTests],
    },
  },
  {
    test: {
      ...sharedOptions,
      name: 'shared process',
      include: sharingTests,
      exclude,
      isolate: false,
    },
  },
];

export default defineConfig({
  test: { ...sharedOptions, globalSetup, experimental: { fsModuleCache }, projects },
});
