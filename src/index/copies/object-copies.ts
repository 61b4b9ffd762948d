/**
 * Copies of an index in S3-compatible storage:
 *
 *   latest.json           names the newest copy; the only object that is ever replaced
 *   manifests/NAME.json   what a copy is, with the hashes of its pieces
 *   pieces/SHA256         a piece of one copy or of many, by its content
 *
 * A piece is never changed except to replace a damaged one, so copies share pieces, and an interrupted
 * upload leaves nothing that has to be repeated. A copy is there when its manifest is, and the manifest is written after the pieces.
 */
import { getFips, hash } from 'node:crypto';
import type { VerbatimError } from '../../errors.ts';
import type { ListedNow, ObjectStore, PutCondition } from '../object-storage/object-store.ts';
import type { CopySource } from './copy-source.ts';
import {
  damaged,
  isCopyName,
  MANIFEST_BYTES_MAX,
  type Manifest,
  type Piece,
  parseManifest,
} from './manifest.ts';

const LATEST = 'latest.json';
const MANIFESTS = 'manifests/';
const PIECES = 'pieces/';
const LATEST_BYTES_MAX = 4_096;

/** The copy that `latest.json` names. */
export interface LatestCopy {
  /** Undefined if it names none: it is damaged, or not ours. */
  name: string | undefined;
  /** Names this content of `latest.json`. */
  tag: string;
  /** Whether the storage names a content by its MD5. With encryption, some do not. */
  isMd5: boolean;
}

export interface ListedPiece {
  sha256: string;
  bytes: number;
  /** As in `ListedObject`. */
  tag: string;
  /** By the clock of the storage; NaN if that is not known. */
  ageMs: number;
}

export interface ObjectCopies {
  /** For messages. */
  readonly address: string;
  /** Undefined if there is no copy yet. */
  latest(signal: AbortSignal): Promise<LatestCopy | undefined>;
  /** Returns whether nobody else has replaced it meanwhile. */
  setLatest(name: string, before: LatestCopy | undefined, signal: AbortSignal): Promise<boolean>;
  /** Throws `verify_failed` if it is missing or damaged. */
  manifest(name: string, signal: AbortSignal): Promise<{ manifest: Manifest; text: string }>;
  /** Writes a manifest unless the same is there. */
  putManifest(name: string, text: string, signal: AbortSignal): Promise<void>;
  deleteManifest(name: string, signal: AbortSignal): Promise<void>;
  /** The names of all copies, ascending. */
  names(signal: AbortSignal): Promise<string[]>;
  /** Throws `verify_failed` if the piece is missing or damaged. */
  piece(piece: Pick<Piece, 'sha256' | 'length'>, signal: AbortSignal): Promise<Buffer>;
  putPiece(sha256: string, bytes: Buffer<ArrayBuffer>, signal: AbortSignal): Promise<void>;
  deletePiece(sha256: string, signal: AbortSignal): Promise<void>;
  pieces(signal: AbortSignal): AsyncGenerator<ListedPiece>;
}

export function createObjectCopies(store: ObjectStore): ObjectCopies {
  const { address } = store;
  const manifestKey = (name: string) => `${MANIFESTS}${name}.json`;
  const listed = async function* (from: string, signal: AbortSignal): AsyncGenerator<ListedNow> {
    for await (const page of store.list(from, signal)) yield* page;
  };
  const putNew = (key: string, text: string, condition: PutCondition, signal: AbortSignal) =>
    store.put(key, new TextEncoder().encode(text), { condition, signal });
  return {
    address,
    async latest(signal) {
      const found = await store.get(LATEST, { bytesMax: LATEST_BYTES_MAX, signal });
      if (found === undefined) return undefined;
      const { body, tag } = found;
      // Under FIPS 140, Node has no MD5.
      const isMd5 = getFips() === 0 && tag.replaceAll('"', '') === hash('md5', body);
      return { name: nameIn(body.toString()), tag, isMd5 };
    },
    async setLatest(name, before, signal) {
      const condition = before === undefined ? { isNew: true as const } : { tag: before.tag };
      return putNew(LATEST, `${JSON.stringify({ copy: name })}\n`, condition, signal);
    },
    async manifest(name, signal) {
      const path = `${address}/${manifestKey(name)}`;
      const found = await store.get(manifestKey(name), { bytesMax: MANIFEST_BYTES_MAX, signal });
      if (found === undefined) throw damaged(`${path} is missing`);
      const text = found.body.toString();
      return { manifest: parseManifest(text, name, path), text };
    },
    async putManifest(name, text, signal) {
      if (await putNew(manifestKey(name), text, { isNew: true }, signal)) return;
      const there = await store.get(manifestKey(name), { bytesMax: MANIFEST_BYTES_MAX, signal });
      if (there?.body.toString() === text) return;
      // The name holds the hash of the text, so what is there is damaged.
      await store.put(manifestKey(name), new TextEncoder().encode(text), { signal });
    },
    deleteManifest: (name, signal) => store.delete(manifestKey(name), signal),
    async names(signal) {
      const names: string[] = [];
      for await (const { key } of listed(MANIFESTS, signal)) {
        const name = key.slice(MANIFESTS.length).replace(/\.json$/, '');
        if (isCopyName(name) && key === manifestKey(name)) names.push(name);
      }
      return names.sort();
    },
    async piece({ sha256, length }, signal) {
      const isWhole = (body: Buffer) => hash('sha256', body) === sha256;
      const found = await store.get(PIECES + sha256, { bytesMax: length, isWhole, signal });
      if (found !== undefined && isWhole(found.body)) return found.body;
      const what = found === undefined ? 'missing' : 'damaged';
      throw damaged(
        `${address}/${PIECES}${sha256} is ${what}; where the index is built, run: ` +
          `verbatim index publish ${address} --reread`,
      );
    },
    async putPiece(sha256, bytes, signal) {
      await store.put(PIECES + sha256, bytes, { signal });
    },
    deletePiece: (sha256, signal) => store.delete(PIECES + sha256, signal),
    async *pieces(signal) {
      for await (const { key, bytes, tag, ageMs } of listed(PIECES, signal)) {
        const sha256 = key.slice(PIECES.length);
        if (/^[\da-f]{64}$/.test(sha256)) yield { sha256, bytes, tag, ageMs };
      }
    },
  };
}

/** The copies as a source to fetch from. */
export function objectSource(copies: ObjectCopies, readsMax: number): CopySource {
  return {
    async latest(signal) {
      const latest = await copies.latest(signal);
      if (latest === undefined) throw damaged(`there is no copy of an index in ${copies.address}`);
      if (latest.name === undefined) throw namesNone(copies);
      return latest.name;
    },
    manifest: copies.manifest,
    readsMax,
    open: () => ({
      async read(piece, bytes, signal) {
        (await copies.piece(piece, signal)).copy(bytes);
      },
      async close() {},
    }),
  };
}

/** The error for a `latest.json` that names no copy. */
export function namesNone({ address }: Pick<ObjectCopies, 'address'>): VerbatimError {
  return damaged(`${address}/${LATEST} does not name a copy of an index`);
}

function nameIn(text: string): string | undefined {
  try {
    const name = (JSON.parse(text) as { copy?: unknown } | null)?.copy;
    return typeof name === 'string' && isCopyName(name) ? name : undefined;
  } catch {
    return undefined;
  }
}
