/** What a provider of records is: where it publishes them, and in which parts they come. */
import type { Selection } from '../../ingest/selection/selection.ts';
import type { ProviderName as LaneProvider } from '../../lanes/lane/lane.ts';
import { LaneFailure } from '../../lanes/lane/lane-errors.ts';
import type { HttpRequest, Quota } from '../../lanes/lane/provider.ts';
import type { Settings } from '../../settings/config.ts';
import type { LaneName } from '../../settings/lane-choice.ts';
import type { Position, Progress, ProviderName, SourceOptions, SourceQuery } from './source.ts';

/** What a provider says before anything is fetched. */
export interface Description {
  /** The way in which the records are fetched, in words. */
  method: string;
  /** What is sent with each request beside the contact address, in words. */
  sent?: string[];
  /** The license of the metadata, in words, with its address. */
  license: string;
  /** How much it is in all; absent: only the first response tells. */
  size?: { isAtMost?: boolean; records: number; requests: number; bytes: number };
}

/** A file with records that was fetched, or lies in the source's folder. */
export interface Part extends Pick<Fetched, 'path' | 'bytes'> {
  /** Names it in messages, such as `baseline/pubmed26n0001.xml.gz`. Stays the same in all runs. */
  name: string;
  /** The name of its format; absent: recognized by its content. */
  format?: string;
  /** Whether it may name records that the provider deleted. */
  mayDelete?: boolean;
  /** What of all is fetched with it, as far as the provider says so. */
  progress?: Progress;
}

/** A step of fetching. After each the position is saved: the next run goes on from there. */
export interface Step {
  /** How far the source is fetched once the part is indexed. */
  next: Position;
  part?: Part;
  /** Of a complete list of the source. At its end, records that were not in it are removed. */
  list?: 'start' | 'part' | 'end';
}

export interface Fetched {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Where the body is until the next request. */
  path: string;
  bytes: number;
  /** Hexadecimal. */
  md5: string;
  /** The address after redirects. */
  url: URL;
}

export interface FetchOptions {
  /** More bytes are a failure; absent: `sourcePartBytesMax`. */
  bytesMax?: number;
  /** Statuses beside 2xx that are no failure. */
  accepted?: readonly number[];
  /** Throws a LaneFailure for a body that is not what was asked for. It is then fetched again. */
  check?: (fetched: Fetched) => Promise<void> | void;
}

export interface Fetcher {
  /**
   * Sends a request when the pace of the provider allows it, follows redirects, and writes the body to a
   * file, which the next request replaces. Repeats it after a failure that may pass. Rejects with a
   * LaneFailure, which is a NotFound after 404, with SourcePostponed if the provider asks for a long pause,
   * and with a LaneSkip when it is canceled.
   */
  fetch(request: HttpRequest, options?: FetchOptions): Promise<Fetched>;
  /** The same for a page that fits into memory. `read` reads it, and throws as `check` does. */
  fetchPage<Page>(
    request: HttpRequest,
    read: (text: string, fetched: Fetched) => Page,
    options?: Pick<FetchOptions, 'accepted'>,
  ): Promise<Fetched & { page: Page }>;
}

export interface ProviderDeps {
  fetcher: Fetcher;
  settings: Settings;
  /** What the source keeps of the records. A provider that can filter is asked for no others. */
  selection: Selection;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** How often a provider may be asked. Requests of lanes and sources to one host share a pace. */
export type Pace = {
  /** The setting with the shortest time between two requests. */
  gap: 'arxivGapMs' | 'webGapMs' | 'sourceGapMs';
  /** What the headers of a response say about the limits. */
  quotaOf?: (headers: Fetched['headers']) => Quota;
} & (
  | {
      /** The name of the provider in the records that lanes and sources share. */
      subject: LaneProvider;
      /** The lane that asks it, too: its account and its cap of requests apply. */
      lane: LaneName;
    }
  | { subject: string; lane?: undefined }
);

export interface SourceProvider {
  name: ProviderName;
  /** One line for `--help`. */
  description: string;
  /** The options that it takes, beside `url`. */
  takes: readonly Exclude<keyof SourceOptions, 'url'>[];
  pace: (options: SourceOptions) => Pace;
  /** Where it publishes; '' for a folder of this machine. */
  addressOf(options: SourceOptions, settings: Settings): string;
  /** Whether it asks for a contact address. */
  needsContact?: boolean;
  /** What is fetched, for the name of a source: `cs` of `arxiv-cs`. */
  subjectOf(options: SourceOptions): string;
  /** Throws `usage` for options that it cannot use. */
  describe(query: SourceQuery, settings: Settings): Description;
  /**
   * Fetches what is new since a position, from the start without one. Every step may be repeated, also
   * after the process was killed.
   */
  steps(
    query: SourceQuery,
    position: Position | undefined,
    deps: ProviderDeps,
  ): AsyncGenerator<Step, void>;
}

/** There is no such file or page, or not yet. */
export class NotFound extends LaneFailure {
  constructor(message: string) {
    super('bad_answer', message);
  }
}

/** The provider asks for a pause that is too long to wait for. */
export class SourcePostponed extends Error {
  /** Milliseconds since 1970. */
  readonly until: number;

  constructor(until: number) {
    super('the provider asks for a pause');
    this.name = 'SourcePostponed';
    this.until = until;
  }
}
