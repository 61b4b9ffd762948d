/**
 * Checks a database file while others use it, table by table: pages, rows, indexes, the full text,
 * the hashes of documents, and the ledger. Reads are short, so that none holds up a checkpoint for
 * long, and each sees one state of what it compares, so that nobody's writes lead to findings.
 */
import { auditInSteps } from '../../accounts/sqlite/ledger/audit.ts';
import type { Damage } from '../../database/damage/damage-register.ts';
import { damageOf } from '../../database/damage/notice-damage.ts';
import type { PartInUse } from '../../database/damage/parts.ts';
import type { Connection } from '../../database/sqlite/connection.ts';
import { tableProblem } from '../../database/sqlite/integrity.ts';
import { checkDocuments } from './check-documents.ts';
import { compareIndexes } from './compare-indexes.ts';
import { isNeeded } from './needed-tables.ts';
import { columnsOf, quoted, readInSteps, type StoredTable, storedTables } from './read-in-steps.ts';

export interface FileCheckOptions {
  /** How long a read of rows lasts. */
  readMs: number;
  /** Whether the accounts in the file are in use. */
  hasLedger: boolean;
  /**
   * SQLite's own check takes a whole table in one read. It is made only of tables that took no longer
   * than this to check by short reads, because it then takes about as long.
   */
  wholeTableMsMax?: number;
}

/** One read. */
export interface FileCheckStep {
  part: string;
  ms: number;
  damage?: Damage;
}

/**
 * Far below the seconds that a snapshot may last: at the lowest priority, a check takes many times as
 * long when others begin to use all cores.
 */
const WHOLE_TABLE_MS_MAX = 500;
/** SQLite's check of the full text takes about six times as long as reading its rows. */
const FULL_TEXT_FACTOR = 6;

/** The part of differences within the ledger. Its tables have their own names. */
const LEDGER_AUDIT: PartInUse = { part: 'ledger_audit', isBlocking: false };
const SCHEMA = 'sqlite_schema';
const FULL_TEXT = 'documents_text';

/** Yields after each read how long it took. Returns what is wrong; undefined if nothing is. */
type Reads = Generator<number, string | undefined>;

/**
 * Yields after each read, so that the caller can pause. Throws what is no damage, such as a locked file
 * or an unreadable disk: a check that does not end proves nothing.
 */
export function* checkFile(
  db: Connection,
  { readMs, hasLedger, wholeTableMsMax = WHOLE_TABLE_MS_MAX }: FileCheckOptions,
): Generator<FileCheckStep, void> {
  const limits = { readMs, wholeTableMsMax };
  const tables: StoredTable[] = [];
  yield* inspect(
    needed(SCHEMA),
    once(() => void tables.push(...storedTables(db))),
  );
  let fullTextMs = 0;
  for (const table of tables) {
    const ms = yield* inspect(needed(table.name), checkTable(db, table, limits));
    if (table.name.startsWith(FULL_TEXT)) fullTextMs += ms;
  }
  if (fullTextMs * FULL_TEXT_FACTOR <= wholeTableMsMax) {
    yield* inspect(
      needed(FULL_TEXT),
      once(() => tableProblem(db, FULL_TEXT)),
    );
  }
  // An altered document is left out of results.
  yield* inspect({ part: 'documents', isBlocking: false }, checkDocuments(db, readMs));
  if (hasLedger) yield* inspect(LEDGER_AUDIT, auditReads(db));
}

function needed(table: string): PartInUse {
  return { part: table, isBlocking: isNeeded(table) };
}

/** Makes the reads of a part. Returns how long they took together. */
function* inspect({ part, isBlocking }: PartInUse, reads: Reads): Generator<FileCheckStep, number> {
  let totalMs = 0;
  let problem: string | undefined;
  try {
    let read = reads.next();
    for (; !read.done; read = reads.next()) {
      totalMs += read.value;
      yield { part, ms: read.value };
    }
    problem = read.value;
  } catch (error) {
    problem = damageOf(error);
    if (problem === undefined) throw error;
  }
  const reason = `${part}: ${problem}`;
  if (problem !== undefined) yield { part, ms: 0, damage: { part, isBlocking, reason } };
  return totalMs;
}

/** SQLite's own check comes last, because it reads what the short reads have brought into memory. */
function* checkTable(
  db: Connection,
  table: StoredTable,
  { readMs, wholeTableMsMax }: Required<Pick<FileCheckOptions, 'readMs' | 'wholeTableMsMax'>>,
): Reads {
  let totalMs = 0;
  const add = (ms: number): void => {
    totalMs += ms;
  };
  yield* timed(add, readWholly(db, table, readMs));
  const problem = yield* timed(add, compareIndexes(db, table, readMs));
  if (problem !== undefined || totalMs > wholeTableMsMax) return problem;
  return yield* once(() => tableProblem(db, table.name));
}

/** Makes the same reads, and tells how long each took. */
function* timed<Result>(
  tell: (ms: number) => void,
  reads: Generator<number, Result>,
): Generator<number, Result> {
  for (let read = reads.next(); ; read = reads.next()) {
    if (read.done) return read.value;
    tell(read.value);
    yield read.value;
  }
}

/** Compares each value, for which SQLite reads all of it. Only a boolean of each row leaves SQLite. */
function readWholly(db: Connection, table: StoredTable, readMs: number): Generator<number> {
  const columns = columnsOf(db, table.name).map(({ name }) => `(${quoted(name)} > '')`);
  return readInSteps(db, table, { select: columns.join(' + '), readMs, onRow() {} });
}

function* once(work: () => string | undefined): Reads {
  const begin = performance.now();
  const problem = work();
  yield performance.now() - begin;
  return problem;
}

function* auditReads(db: Connection): Reads {
  const differences: string[] = [];
  const statements = auditInSteps(db);
  for (let isDone = false; !isDone; ) {
    const begin = performance.now();
    const { value, done } = statements.next();
    isDone = done === true;
    if (!done) differences.push(...value);
    yield performance.now() - begin;
  }
  const [first, ...others] = differences;
  if (others.length === 0) return first;
  return `${first}, and ${others.length} more differences`;
}
