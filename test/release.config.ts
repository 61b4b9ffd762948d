import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { globalSetup, releaseTests, sharedOptions } from './vitest.config.ts';

/** Files that take more than a minute. They start first, so that none of them runs alone at the end. */
const LONGEST = [
  'ordeal/ordeal',
  'bench/bench',
  'lanes/misbehaving-providers',
  'lanes/stubbed-providers',
  'fuzz/fuzz-command',
  'scripts/packaging/package',
  'scripts/cluster/cluster',
  'dashboard/accessibility',
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

/** The slow tests, which `.ci/run` runs after `npm test`. */
export default defineConfig({
  test: {
    ...sharedOptions,
    globalSetup,
    include: releaseTests,
    sequence: { sequencer: LongestFirst },
  },
});
