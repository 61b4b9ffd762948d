/** Runs the checks of the doctor in this process, on settings of a test. */

import type { CheckContext, Finding } from '../../../src/commands/doctor/check.ts';
import {
  examine,
  examineDatabase,
  machineChecks,
  type NamedFinding,
} from '../../../src/commands/doctor/examine.ts';
import { readSettings, type Settings } from '../../../src/settings/config.ts';

/** A context in which nothing is read from the environment, and any port will do. */
function contextOf(overrides: Partial<Settings>, context: Partial<CheckContext>): CheckContext {
  const settings = readSettings({ host: '127.0.0.1', port: 0, ...overrides }, {});
  const defaults = { file: undefined, isFull: false, isOnline: false, now: Date.now() };
  return { settings, ...defaults, ...context };
}

/** What all checks found. */
export async function examined(
  overrides: Partial<Settings>,
  context: Partial<CheckContext> = {},
): Promise<NamedFinding[]> {
  return collect(examine(contextOf(overrides, context), () => {}));
}

/** What one check found. */
export async function findingsOf(
  name: string,
  overrides: Partial<Settings>,
  context: Partial<CheckContext> = {},
): Promise<Finding[]> {
  const whole = contextOf(overrides, context);
  const check = machineChecks.find((one) => one.name === name);
  if (check !== undefined) return check.run(whole);
  const all = await collect(examineDatabase(whole, () => {}));
  return all.flatMap(({ check: found, ...finding }) => (found === name ? [finding] : []));
}

async function collect(findings: AsyncIterable<NamedFinding>): Promise<NamedFinding[]> {
  const all: NamedFinding[] = [];
  for await (const one of findings) all.push(one);
  return all;
}
