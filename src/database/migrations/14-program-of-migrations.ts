/**
 * Step 14: the version of the program that ran a step. An older program names it when it refuses the
 * file. Earlier programs did not record theirs.
 */
import type { Step } from './step.ts';

/** The first step whose row has the version of its program. */
export const FIRST_WITH_PROGRAM = 14;

export const programOfMigrations: Step = {
  name: 'program of migrations',
  sql: 'ALTER TABLE migrations ADD COLUMN program TEXT;',
};
