import {
  defineConfig,
  type TestProjectInlineConfiguration,
  type ViteUserConfig,
} from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { fsModuleCache, globalSetup, releaseTests, sharedOptions } from './vitest.config.ts';

/** Files that take longest. They start first, so that none of them runs alone at the end. */
const LONGEST = [
  'scripts/packaging/package',
  'commands/upgrade/upgrade',
  'kill/upgrade-kill',
  'overload/overload',
  'lanes/misbehaving-providers',
  'scripts/cluster/cluster',
  'lanes/stubbed-providers',
  'abuse/database-vanishes',
  'abuse/damaged-pages',
  'abuse/disk-full',
  'soak/soak',
  'dashboard/accessibility',
  'index/postgres-faults',
  'accounts/postgres/postgres-move-command',
  'kill/kill',
  'kill/repeats',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return place === -1 ? LONGEST.length : place;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

/** Tests that mock modules, change functions of the process, or leave other things behind in it. */
const owningTests = [
  'abuse/{library-exceptions,pending-operations}.test.ts',
  'bench/temporary-folder.test.ts',
  'fuzz/fuzz-server.test.ts',
];

export const releaseProjects: TestProjectInlineConfiguration[] = [
  { test: { ...sharedOptions, name: 'slow, own process', include: owningTests } },
  {
    test: {
      ...sharedOptions,
      name: 'slow, shared process',
      include: releaseTests,
      exclude: owningTests,
      isolate: false,
    },
  },
];

/** Runs projects with the files first that take longest. */
export function longestFirst(projects: TestProjectInlineConfiguration[]): ViteUserConfig {
  return defineConfig({
    test: {
      ...sharedOptions,
      globalSetup,
      experimental: { fsModuleCache },
      sequence: { sequencer: LongestFirst },
      projects,
    },
  });
}

/** The slow tests. */
export default longestFirst(releaseProjects);
