/** Files that somebody publishes at an address or in a folder, such as the dumps of DOAJ and DBLP. */

import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { VerbatimError } from '../../errors.ts';
import { isFile } from '../../ingest/read/input.ts';
import { listFiles } from '../../ingest/read/list-files.ts';
import type { ProviderDeps, SourceProvider, Step } from '../ports/provider.ts';
import type { Position, SourceQuery } from '../ports/source.ts';

const NOT_MODIFIED = 304;

interface AddressPosition extends Position {
  etag?: string;
  modified?: string;
}

interface FolderPosition extends Position {
  /** The digest of the names, sizes, and times of all files. */
  listing?: string;
}

export const filesProvider: SourceProvider = {
  name: 'files',
  description: 'an address (https://...) or a folder, with files in any format that is read',
  takes: [],
  pace: () => ({ subject: 'files', gap: 'sourceGapMs' }),
  addressOf: () => '',
  subjectOf: ({ url = '' }) => basename(url.replace(/[?#].*$/, '')).replace(/\..*$/, ''),
  describe({ url }) {
    if (url === '') throw new VerbatimError('usage', 'files need an address or a folder');
    const method = isAddress(url)
      ? 'one request; nothing is sent again until it changes'
      : 'read here';
    return { method, license: 'as its publisher says' };
  },
  steps: (query, position, deps) =>
    isAddress(query.url) ? addressSteps(query, position, deps) : folderSteps(query, position),
};

function isAddress(url: string): boolean {
  return /^https?:\/\//i.test(url);
}

async function* addressSteps(
  { url }: SourceQuery,
  position: AddressPosition = {},
  { fetcher }: ProviderDeps,
): AsyncGenerator<Step, void> {
  const headers: Record<string, string> = {};
  if (position.etag !== undefined) headers['if-none-match'] = position.etag;
  else if (position.modified !== undefined) headers['if-modified-since'] = position.modified;
  const name = basename(new URL(url).pathname) || 'file';
  const request = { url: new URL(url), headers };
  const {
    status,
    path,
    bytes,
    headers: told,
  } = await fetcher.fetch(request, {
    accepted: [NOT_MODIFIED],
  });
  if (status === NOT_MODIFIED) return;
  const { etag, 'last-modified': modified } = told;
  yield { list: 'start', next: position };
  yield { part: { name, path, bytes }, list: 'part', next: position };
  const next: AddressPosition = {};
  if (etag !== undefined) next.etag = etag;
  if (modified !== undefined) next.modified = modified;
  yield { list: 'end', next };
}

/**
 * All files are one list, and all are read if one changed: a record may move from one file to another.
 * What is unchanged is passed over at the speed of reading.
 */
async function* folderSteps(
  { url }: SourceQuery,
  { listing: before }: FolderPosition = {},
): AsyncGenerator<Step, void> {
  const folder = resolve(url);
  const listed = await listFiles([folder]);
  const unreadable = listed.find((input) => 'unreadable' in input);
  if (unreadable !== undefined && 'unreadable' in unreadable) {
    throw new VerbatimError('unreadable_input', unreadable.unreadable);
  }
  const files = listed.filter(isFile);
  const digest = createHash('sha256');
  for (const { path } of files) {
    const { size, mtimeMs } = await stat(path);
    digest.update(JSON.stringify([path, size, mtimeMs]));
  }
  const listing = digest.digest('hex');
  if (listing === before) return;
  const next = before === undefined ? {} : { listing: before };
  yield { list: 'start', next };
  for (const [at, { path, bytes = 0 }] of files.entries()) {
    const name = path === folder ? basename(path) : path.slice(folder.length + 1);
    const progress = { done: at + 1, total: files.length, unit: 'parts' as const };
    yield { part: { name, path, bytes, progress }, list: 'part', next };
  }
  yield { list: 'end', next: { listing } };
}
