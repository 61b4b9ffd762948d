/** What is left of papers that `index remove` took out: records that keep them out. Pure. */
import { groupRecords } from '../../identity/group-records.ts';
import { type KeptRecord, removedRecord } from '../../identity/kept-record.ts';
import { keysOf } from '../../identity/record-keys.ts';
import type { Gathered } from './gather-records.ts';
import { type NewRecord, newRecord, type StoredRecord } from './stored-records.ts';

/** Selects how many records are left of removed papers. `waiting` is true of records without a document. */
export function countRemovedSql(waiting: string): string {
  return `SELECT count(*) AS removed FROM source_records WHERE ${waiting} AND part = 'removed'`;
}

/** Returns what is left of a record whose paper is removed. */
export function removedOf({ record, file }: NewRecord): NewRecord {
  return newRecord(removedRecord(record), file);
}

/** Returns what is left of the records of a paper. Supplements leave nothing. */
export function leftOf(records: readonly NewRecord[]): NewRecord[] {
  return records.filter(({ record }) => record.part === 'record').map(removedOf);
}

/** Returns whether these records are a paper that was removed. It stays out with all of them. */
export function isRemoved(records: readonly KeptRecord[]): boolean {
  return records.some(({ part }) => part === 'removed');
}

/** Returns what is left of the removed papers that have one of these keys, of all records with them. */
export function removedWith(
  keys: readonly string[],
  gathered: Gathered | undefined,
): StoredRecord[] {
  if (gathered === undefined) return [];
  const { records, series } = gathered;
  const files = new Map(records.map(({ record, file }) => [record, file]));
  const linking = records.filter(({ record }) => record.part !== 'merged');
  const named = groupRecords(
    linking.map(({ record }) => record),
    { series, fileOf: (record) => files.get(record) ?? null },
  ).filter((group) => isRemoved(group) && group.some((record) => hasOneOf(record, keys)));
  const own = new Set(named.flat());
  return records.filter(({ record }) => record.part === 'removed' && own.has(record));
}

function hasOneOf(record: KeptRecord, keys: readonly string[]): boolean {
  const wanted = new Set(keys.map((key) => key.toLowerCase()));
  return keysOf(record).some((key) => wanted.has(key.toLowerCase()));
}
