import { longestFirst, releaseProjects } from './release.config.ts';
import { projects } from './vitest.config.ts';

/** Both suites in one run, which `.ci/run` makes: it has one build, one index, and one browser. */
export default longestFirst([...projects, ...releaseProjects]);
