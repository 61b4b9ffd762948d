/** An index with customers beside it, and folders of its copies. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createKey } from '../../../src/accounts/sql/api-keys.ts';
import { topUp } from '../../../src/accounts/sql/credit-entries.ts';
import { addCustomer } from '../../../src/accounts/sql/customers.ts';
import { ownerOf } from '../../../src/accounts/sql/member-rows.ts';
import { createLink } from '../../../src/accounts/sql/sign-in-links.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { changeOnSqlite, runOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import { copyPaths, readLatest } from '../../../src/index/copies/copy-folder.ts';
import { folderSource } from '../../../src/index/copies/copy-source.ts';
import { type PublishOptions, publishIndex } from '../../../src/index/copies/publish.ts';
import { type PullOptions, pullIndex } from '../../../src/index/copies/pull.ts';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import { scratchFolder } from '../../ingest/index-files.ts';
import { emptyIndex, toyIndexed } from '../memory-index.ts';

const EMAIL = 'someone.secret@example.org';

export interface CopiesWorld {
  database: string;
  db: Connection;
  /** The publisher's folder. */
  published: string;
  /** The folder of a node that pulls. */
  local: string;
  add(from: number, count: number): void;
  remove(number: number): void;
  publish(options?: Partial<PublishOptions>): ReturnType<typeof publishIndex>;
  pull(options?: Partial<PullOptions>): ReturnType<typeof pullIndex>;
  newestBytes(folder: string): Buffer;
}

/** Databases by their documents, each built once in a process. */
const originals = new Map<number, Buffer>();

/** With so many documents. A thousand of them make a file of several pieces. */
export async function createCopiesWorld(documents: number): Promise<CopiesWorld> {
  const folder = await scratchFolder();
  const database = join(folder, 'verbatim.db');
  const original = originals.get(documents);
  if (original !== undefined) writeFileSync(database, original);
  const db = emptyIndex(database);
  const writer = createIndexWriter(db);
  const [published, local] = [join(folder, 'published'), join(folder, 'local')];
  const signal = new AbortController().signal;
  const world: CopiesWorld = {
    database,
    db,
    published,
    local,
    add: (from, count) => {
      writer.write(Array.from({ length: count }, (_, i) => toyIndexed(paper(from + i))));
    },
    remove: (number) => {
      writer.remove([paper(number).id]);
    },
    publish: (options) =>
      publishIndex(published, {
        database,
        lockWaitMs: 1000,
        keep: 2,
        signal,
        beforeStep() {},
        onProgress() {},
        now: () => new Date(),
        ...options,
      }),
    pull: (options) =>
      pullIndex(local, {
        from: folderSource(published),
        keep: 2,
        onProgress() {},
        signal,
        ...options,
      }),
    newestBytes: (of) => readFileSync(copyPaths(of, readLatest(of)).database),
  };
  if (original === undefined) {
    world.add(1, documents);
    originals.set(documents, db.serialize());
  }
  return world;
}

function paper(number: number) {
  const abstract = `Tide ${number} rose. Moon ${number} shone on shore ${number % 7}. ${'It fell. '.repeat(9)}`;
  return { id: `paper-${number}`, title: `Tides of year ${number}`, abstract };
}

/** Adds a customer with a key, a session's link, and credit. Returns texts and hashes of theirs. */
export function addSecrets(db: Connection): Buffer[] {
  const now = Date.now();
  const { id: customerId } = changeOnSqlite(db, addCustomer({ email: EMAIL, now }));
  changeOnSqlite(db, topUp({ customerId, credits: 123, now }));
  const { key, secret } = changeOnSqlite(
    db,
    createKey({
      customerId,
      name: 'name-of-a-secret-key',
      requestsPerMinute: null,
      inFlightMax: null,
      now,
    }),
  );
  const { token } = changeOnSqlite(
    db,
    createLink({ memberId: runOnSqlite(db, ownerOf(customerId)), expiresAt: now + 1000 }),
  );
  db.prepare('INSERT INTO sessions VALUES (?, ?, ?, ?, NULL, NULL)').run(
    ...[hashOf('session'), runOnSqlite(db, ownerOf(customerId)), now, now],
  );
  const hashes = db
    .prepare(
      `SELECT hash FROM api_keys UNION ALL SELECT token_hash FROM sign_in_links
       UNION ALL SELECT token_hash FROM sessions`,
    )
    .pluck()
    .all() as Buffer[];
  db.prepare('INSERT INTO lane_answers VALUES (?, ?, 2, 0)').run('a secret question', '[]');
  const texts = [EMAIL, secret, key.prefix, 'name-of-a-secret-key', 'a secret question', token];
  return [...texts.map((text) => Buffer.from(text)), ...hashes];
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Overwrites bytes of a file with `0xff`, as a disk may. */
export function overwrite(path: string, at: number, bytes = 8192): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(bytes, 0xff), 0, bytes, at);
  closeSync(file);
}

export function flipByte(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  writeFileSync(path, bytes);
}

export function newestDatabase(folder: string): string {
  return copyPaths(folder, readLatest(folder)).database;
}

/** Expects that the node has the publisher's newest copy, byte by byte. */
export function expectSame({ published, local, newestBytes }: CopiesWorld): void {
  expect(readLatest(local)).toBe(readLatest(published));
  expect(newestBytes(local).equals(newestBytes(published))).toBe(true);
  expect(readdirSync(join(local, 'versions')).filter((name) => name.includes('partial'))).toEqual(
    [],
  );
}
