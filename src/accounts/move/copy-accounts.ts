/** Copies all accounts from one database to another, and compares both. */
import { VerbatimError } from '../../errors.ts';
import type { AuditReport } from '../sql/kept-audits.ts';
import type { AccountsSide } from './tables/accounts-side.ts';
import { type MovedTable, matchColumns, movedTables } from './tables/moved-tables.ts';
import { createRowDigest } from './tables/row-digest.ts';

export interface CopyOptions {
  source: AccountsSide;
  target: AccountsSide;
  /** Which of both is the SQLite file. */
  isFromFile: boolean;
  /** Whether the target has an earlier state of the same accounts, which is replaced. */
  replaces: boolean;
  /** Called with the rows that were copied or compared, and how many there are of both. */
  onRows: (done: number, total: number) => void;
  /** Rejects with `interrupted`. */
  signal: AbortSignal;
}

/** What was copied: the rows of each table, and the audit of the source. */
export interface Copied {
  tables: Record<string, number>;
  audit: AuditReport;
}

/**
 * Copies everything. Both ends are in a transaction, which the caller commits. Rejects with
 * `audit_failed` if the source does not add up, or if the target differs from it, and with
 * `already_exists` if the target has accounts.
 */
export async function copyAccounts(options: CopyOptions): Promise<Copied> {
  const { source, target, replaces } = options;
  const audit = await auditSource(source);
  const tables = await readTables(options);
  await target.startWriting();
  if (replaces) await target.clear();
  await assertEmpty(target);
  const rows = await countRows(source);
  const total = 2 * Object.values(rows).reduce((sum, count) => sum + count, 0);
  let done = 0;
  const count = (more: number): void => {
    if (options.signal.aborted)
      throw new VerbatimError('interrupted', 'interrupted; nothing moved');
    done += more;
    options.onRows(done, total);
  };
  const digests = new Map<string, string>();
  for (const table of tables) {
    const digest = createRowDigest();
    for await (const batch of source.read(table)) {
      digest.add(batch);
      await target.write(table, batch);
      count(batch.length);
    }
    digests.set(table.name, digest.value());
  }
  await target.writeLastIds(await source.readLastIds());
  await target.finishWriting();
  for (const table of tables) {
    const digest = createRowDigest();
    for await (const batch of target.read(table)) {
      digest.add(batch);
      count(batch.length);
    }
    if (digest.value() !== digests.get(table.name)) throw differing(`the rows of ${table.name}`);
  }
  await assertSame(options, audit);
  return { tables: rows, audit };
}

/** Rejects with `audit_failed` if the accounts do not add up before they move. */
export async function auditSource(source: AccountsSide): Promise<AuditReport> {
  const audit = await source.audit();
  const [first, ...others] = audit.differences;
  if (first === undefined) return audit;
  const more = others.length === 0 ? '' : `, and ${others.length} more differences`;
  throw new VerbatimError('audit_failed', `the accounts do not add up: ${first}${more}`);
}

/** Rejects with `already_exists` if there are accounts. */
export async function assertEmpty(target: AccountsSide): Promise<void> {
  for (const [table, rows] of Object.entries(await countRows(target))) {
    if (rows === 0) continue;
    throw new VerbatimError(
      'already_exists',
      `the target has accounts of its own (${table}: ${rows}); move to an empty database`,
    );
  }
}

export async function countRows(side: AccountsSide): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const table of movedTables) counted[table] = await side.countRows(table);
  return counted;
}

async function readTables({ source, target, isFromFile }: CopyOptions): Promise<MovedTable[]> {
  const [file, postgres] = isFromFile ? [source, target] : [target, source];
  const tables: MovedTable[] = [];
  for (const name of movedTables) {
    tables.push(matchColumns(name, await file.columnsOf(name), await postgres.columnsOf(name)));
  }
  return tables;
}

async function assertSame({ source, target }: CopyOptions, before: AuditReport): Promise<void> {
  const ids = JSON.stringify([...(await source.readLastIds())].sort());
  if (JSON.stringify([...(await target.readLastIds())].sort()) !== ids)
    throw differing('the last ids');
  const after = await target.audit();
  if (JSON.stringify(after) !== JSON.stringify(before)) throw differing('the audit');
}

function differing(what: string): VerbatimError {
  const message = `${what} differ after the move; nothing moved, and this is a defect of Verbatim`;
  return new VerbatimError('audit_failed', message);
}
