/** Load generators run in processes of their own. */
import { fileURLToPath } from 'node:url';
import { finish, startNode } from '../../bench/processes.ts';
import { generateLoad } from './generate.ts';
import type { LoadPlan, LoadReports } from './plan.ts';

/** The first argument of a process that generates load. */
export const LOAD_ARGUMENT = 'load';

/** Generates load in a new process, which `through` starts, for example on a core of its own. */
export async function startLoad(plan: LoadPlan, through: readonly string[]): Promise<LoadReports> {
  const ownPath = fileURLToPath(import.meta.url);
  const child = startNode(
    [ownPath, LOAD_ARGUMENT],
    { stdio: ['pipe', 'pipe', 'inherit'] },
    through,
  );
  child.stdin?.end(JSON.stringify(plan));
  return JSON.parse(await finish(child, 'a load generator')) as LoadReports;
}

/** Is the load generator: reads the plan from standard input and prints the reports. */
export async function performLoad(): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  const plan = JSON.parse(Buffer.concat(chunks).toString('utf8')) as LoadPlan;
  process.stdout.write(JSON.stringify(await generateLoad(plan)));
}
