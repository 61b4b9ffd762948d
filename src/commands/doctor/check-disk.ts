/** Room for growth beside the database, and the size of the write-ahead log. */
import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { walBytes } from '../../database/sqlite/wal.ts';
import { walReaders } from '../../database/sqlite/wal-readers.ts';
import { type Check, error, type Finding, megabytes, ok, warning } from './check.ts';

/** With less room than this, the next busy hour may fill the disk. */
const FREE_BYTES_MIN = 256 * 1024 * 1024;

export const checkDisk: Check = {
  name: 'disk',
  run({ settings: { database, walBytesMax } }) {
    const folder = dirname(resolve(database));
    if (!existsSync(folder)) return [error(`there is no folder ${folder}`, 'create it')];
    const { bavail, bsize, files, ffree } = statfsSync(folder);
    const free = bavail * bsize;
    const size = statSync(database, { throwIfNoEntry: false })?.size ?? 0;
    const found = `${megabytes(free)} free in ${folder}`;
    return [
      ...(free < FREE_BYTES_MIN
        ? [error(found, 'free some space: on a full disk, searches get 503')]
        : free < size
          ? [warning(found, `free ${megabytes(size)} for the copy of an upgrade, or for a backup`)]
          : [ok(found)]),
      ...(files > 0 && ffree === 0
        ? [error(`no more files can be created in ${folder}`, 'remove files')]
        : []),
      ...log(database, walBytesMax),
    ];
  },
};

function log(database: string, walBytesMax: number): Finding[] {
  const bytes = walBytes(database);
  if (bytes <= walBytesMax) return [];
  const readers = walReaders(database).map(({ pid, command }) => `${pid} (${command})`);
  const advice =
    readers.length > 0
      ? `end what reads it: process ${readers.join(', ')}`
      : 'start the server, which empties it';
  return [warning(`the write-ahead log has grown to ${megabytes(bytes)}`, advice)];
}
