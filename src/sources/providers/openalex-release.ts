/**
 * The release of OpenAlex that its snapshot holds: its files, and its list of deleted works
 * (help.openalex.org/access/snapshot and /access/sync).
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { gunzip } from '../../ingest/read/gunzip.ts';
import { splitLines } from '../../ingest/read/lines.ts';
import { LaneFailure } from '../../lanes/lane/lane-errors.ts';
import {
  objectOf,
  objectsOf,
  parseJsonObject,
  stringOf,
} from '../../lanes/providers/response-json.ts';
import type { Settings } from '../../settings/config.ts';
import { type Fetched, NotFound, type Part, type ProviderDeps } from '../ports/provider.ts';

const FOLDER = 'data/jsonl/works';
const FILE = /\/data\/jsonl\/works\/(updated_date=(\d{4}-\d\d-\d\d)\/[\w.-]+\.gz)$/;

export interface ReleaseFile {
  /** Within the folder of works. */
  name: string;
  /** The day on which its works last changed. */
  day: string;
  bytes: unknown;
}

export interface Release {
  /** The last day on which works changed. The next release has a later one. */
  day: string;
  /** By day, then by name. */
  files: ReleaseFile[];
}

/** Rejects with a LaneFailure if there is none: perhaps it is in the making. */
export async function fetchRelease(base: string, { fetcher }: ProviderDeps): Promise<Release> {
  const { page } = await fetcher.fetchPage({ url: urlOf(base, 'manifest.json') }, readRelease);
  return page;
}

function readRelease(text: string): Release {
  const files = objectsOf(parseJsonObject(text)['files']).map(({ url, meta }) => {
    const [, name = '', day = ''] = FILE.exec(stringOf(url)) ?? [];
    return { name, day, bytes: objectOf(meta)['content_length'] };
  });
  const last = files.sort((a, b) => (a.name < b.name ? -1 : 1)).at(-1);
  if (last !== undefined && files.every(({ name }) => name !== '')) return { day: last.day, files };
  throw new LaneFailure('bad_answer', 'the response is no list of the files of works');
}

/** Rejects with `bad_answer` if it is not the file of the release. */
export async function fetchFile(
  base: string,
  { name, bytes: expected }: ReleaseFile,
  { fetcher }: ProviderDeps,
): Promise<Part> {
  const { path, bytes } = await fetcher.fetch(
    { url: urlOf(base, name) },
    {
      check(fetched) {
        if (fetched.bytes === (expected ?? fetched.bytes)) return;
        const problem = `${name} has ${fetched.bytes} bytes, not ${expected}`;
        throw new LaneFailure('bad_answer', problem);
      },
    },
  );
  return { path, bytes, name, format: 'openalex' };
}

/**
 * The works that were deleted since a day. The list goes back to the first one, with tens of millions
 * of works, so what is older is taken out. Resolves to undefined if the release has no list.
 */
export async function fetchDeletions(
  base: string,
  since: string,
  { fetcher, settings }: ProviderDeps,
): Promise<Part | undefined> {
  const name = 'deleted_ids.csv';
  let path = '';
  try {
    await fetcher.fetch(
      { url: urlOf(base, `${name}.gz`) },
      {
        async check(fetched) {
          path = join(dirname(fetched.path), name);
          await writeRows(rowsSince(since, fetched, settings), path);
        },
      },
    );
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
  return { name, path, bytes: (await stat(path)).size, format: 'openalex-merged', mayDelete: true };
}

async function* rowsSince(since: string, { path }: Fetched, { lineBytesMax }: Settings) {
  for await (const line of splitLines(gunzip(createReadStream(path)), lineBytesMax)) {
    const [work, day = ''] = 'text' in line ? line.text.split(',') : [];
    if (line.number === 1 ? work === 'work_id' : day >= since) yield `${work},${day}\n`;
  }
}

async function writeRows(rows: AsyncIterable<string>, path: string): Promise<void> {
  await pipeline(rows, createWriteStream(path)).catch((error: NodeJS.ErrnoException) => {
    if (!error.code?.startsWith('Z_')) throw error;
    throw new LaneFailure('bad_answer', 'the list of deleted works breaks off or is not gzip');
  });
}

function urlOf(base: string, name: string): URL {
  return new URL(`${base.replace(/\/+$/, '')}/${FOLDER}/${name}`);
}
