/** Malformed and unusual input, by its structure. Searches and HTTP are fuzzed among the release tests. */
import { testTargets } from './fuzz-target.ts';
import { archives } from './targets/archives.ts';
import { body, calls } from './targets/calls.ts';
import { records } from './targets/records.ts';

testTargets([
  [body, 800],
  [calls, 800],
  [archives, 40],
  [records, 150],
]);
