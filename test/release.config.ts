import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { fsModuleCache, globalSetup, releaseTests, sharedOptions } from './vitest.config.ts';

/** Files that take longest. They start first, so that none of them runs alone at the end. */
const LONGEST = [
  'ordeal/ordeal',
  'lanes/misbehaving-providers',
  'scripts/cluster/cluster',
  'lanes/stubbed-providers',
  'abuse/database-vanishes',
  'abuse/damaged-pages',
  'abuse/disk-full',
  'scripts/packaging/package',
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

/** Tests that leave nothing behind in their process: see vitest.config.ts. */
const sharingTests = releaseTests.filter((name) => /accounts|dashboard|kill|records/.test(name));

/** The slow tests, which `.ci/run` runs after `npm test`. */
export default defineConfig({
  test: {
    ...sharedOptions,
    globalSetup,
    experimental: { fsModuleCache },
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...sharedOptions,
          name: 'own process',
          include: releaseTests.filter((name) => !sharingTests.includes(name)),
        },
      },
      {
        test: { ...sharedOptions, name: 'shared process', include: sharingTests, isolate: false },
      },
    ],
  },
});
