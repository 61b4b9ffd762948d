/**
 * The release of OpenAlex that its snapshot holds: its files, and its list of deleted works
 * (help.openalex.org/access/snapshot and /access/sync).
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
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
import type { Fetched, Part, ProviderDeps } from '../ports/provider.ts';

const FOLDER = 'data/jsonl/works';
const FILE = /\/data\/jsonl\/works\/(updated_date=(\d{4}-\d\d-\d\d)\/[\w.-]+\.gz)$/;
const NOT_FOUND = 404;

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

/** Rejects with a LaneFailure if there is none. */
export async function fetchRelease(base: string, deps: ProviderDeps): Promise<Release> {
  let files: ReleaseFile[] = [];
  const bytesMax = deps.settings.sourcePageBytesMax;
  const list = { base, name: 'manifest.json', bytesMax };
  await fetchOf(list, deps, async ({ path }) => {
    files = filesIn(await readFile(path, 'utf8'));
  });
  const last = files.at(-1);
  if (last !== undefined) return { day: last.day, files };
  const why = `there is no ${FOLDER}/manifest.json; a release may be in the making`;
  throw new LaneFailure('bad_answer', why);
}

function filesIn(text: string): ReleaseFile[] {
  const files = objectsOf(parseJsonObject(text)['files']).map(({ url, meta }) => {
    const [, name = '', day = ''] = FILE.exec(stringOf(url)) ?? [];
    return { name, day, bytes: objectOf(meta)['content_length'] };
  });
  if (files.length === 0 || files.some(({ name }) => name === '')) {
    throw new LaneFailure('bad_answer', 'the response is no list of the files of works');
  }
  return files.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Resolves to a failure if it is not the file of the release. */
export async function fetchFile(
  base: string,
  { name, bytes }: ReleaseFile,
  deps: ProviderDeps,
): Promise<Part | LaneFailure> {
  try {
    const fetched = await fetchOf({ base, name }, deps, (response) => {
      if (response.bytes === (bytes ?? response.bytes)) return;
      throw new LaneFailure('bad_answer', `${name} has ${response.bytes} bytes, not ${bytes}`);
    });
    if (fetched === undefined) return new LaneFailure('bad_answer', `there is no ${name}`);
    return { name, path: fetched.path, bytes: fetched.bytes, format: 'openalex' };
  } catch (error) {
    if (error instanceof LaneFailure && error.reason === 'bad_answer') return error;
    throw error;
  }
}

/**
 * The works that were deleted since a day. The list goes back to the first one, with tens of millions
 * of works, so what is older is taken out. Resolves to undefined if the release has no list.
 */
export async function fetchDeletions(
  base: string,
  since: string,
  deps: ProviderDeps,
): Promise<Part | undefined> {
  const name = 'deleted_ids.csv';
  let path = '';
  await fetchOf({ base, name: `${name}.gz` }, deps, async (fetched) => {
    const whole = gunzip(createReadStream(fetched.path));
    const lines = splitLines(whole, deps.settings.lineBytesMax);
    const rows = async function* (): AsyncGenerator<string> {
      for await (const line of lines) {
        const [work, day = ''] = 'text' in line ? line.text.split(',') : [];
        if (line.number === 1 ? work === 'work_id' : day >= since) yield `${work},${day}\n`;
      }
    };
    path = join(dirname(fetched.path), name);
    await pipeline(rows, createWriteStream(path)).catch((error: NodeJS.ErrnoException) => {
      if (!error.code?.startsWith('Z_')) throw error;
      throw new LaneFailure('bad_answer', `${name}.gz breaks off or is not gzip`);
    });
  });
  if (path === '') return undefined;
  return { name, path, bytes: (await stat(path)).size, format: 'openalex-merged', mayDelete: true };
}

/** Resolves to undefined if there is no such file. */
async function fetchOf(
  { base, name, ...limits }: { base: string; name: string; bytesMax?: number },
  { fetcher }: ProviderDeps,
  check: (fetched: Fetched) => Promise<void> | void,
): Promise<Fetched | undefined> {
  const fetched = await fetcher.fetch(
    { url: new URL(`${base.replace(/\/+$/, '')}/${FOLDER}/${name}`) },
    {
      ...limits,
      name: basename(name),
      accepted: [NOT_FOUND],
      check: (response) => (response.status === NOT_FOUND ? undefined : check(response)),
    },
  );
  return fetched.status === NOT_FOUND ? undefined : fetched;
}
