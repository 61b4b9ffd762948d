/**
 * The tasks that run in processes of their own, by name. A process never both opens a database and
 * starts threads: threads run dist/verbatim.js with its own copy of SQLite, and two copies in one
 * process release each other's file locks.
 */
import { addAccounts } from './tasks/add-accounts.ts';
import { auditAccounts } from './tasks/audit-accounts.ts';
import { callAccounts } from './tasks/call-accounts.ts';
import { copy } from './tasks/copy.ts';
import { draw } from './tasks/draw.ts';
import { embedBatches, embedInWorkers, embedOneByOne } from './tasks/embed.ts';
import { grow } from './tasks/grow.ts';
import { recall } from './tasks/recall.ts';
import { retrieve } from './tasks/retrieve.ts';
import { writeSample, writeSynthetic } from './tasks/write-documents.ts';

export const tasks = {
  addAccounts,
  auditAccounts,
  callAccounts,
  copy,
  draw,
  embedBatches,
  embedInWorkers,
  embedOneByOne,
  grow,
  recall,
  retrieve,
  writeSample,
  writeSynthetic,
} as const;

export type Tasks = typeof tasks;

/** Runs a task for `runTask`: reads its input from standard input and writes its output as JSON. */
export async function performTask(name: string): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  const task = tasks[name as keyof Tasks] as (input: unknown) => Promise<unknown>;
  const output = await task(JSON.parse(Buffer.concat(chunks).toString('utf8')));
  process.stdout.write(JSON.stringify(output ?? null));
}
