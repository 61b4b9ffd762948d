/** What a provider of records is: where it publishes them, and in which parts they come. */
import type { Selection } from '../../ingest/selection/selection.ts';
import type { HttpRequest, Quota } from '../../lanes/lane/provider.ts';
import type { Settings } from '../../settings/config.ts';
import type { Position, ProviderName, SourceOptions } from './source.ts';

/** What is known before anything is fetched. */
export interface Announcement {
  /** The hosts that will be contacted; empty for a folder of this machine. */
  hosts: string[];
  /** The way in which the records are fetched, in words. */
  method: string;
  /** What is sent with each request, in words. */
  sent: string[];
  /** The license of the metadata, in words, with its address. */
  license: string;
  /** The shortest time between two requests. */
  gapMs: number;
  /** How much it is in all; absent: only the first response tells. */
  size?: { isAtMost?: boolean; records: number; requests: number; bytes: number };
}

/** A file with records that was fetched, or lies in the source's folder. */
export interface Part {
  /** Names it in messages, such as `baseline/pubmed26n0001.xml.gz`. Stays the same in all runs. */
  name: string;
  /** Where it is on this machine. */
  path: string;
  bytes: number;
  /** The name of its format; undefined: recognized by its content. */
  format: string | undefined;
  /** Whether it may name records that the provider deleted. */
  mayDelete?: boolean;
  /** What of all is fetched with it, as far as the provider says so. */
  progress?: { done: number; total: number; unit: 'records' | 'parts' };
}

/** A step of fetching. After each the position is saved: the next run goes on from there. */
export type Step =
  | {
      part: Part;
      /** How far the source is fetched once the part is indexed. */
      next: Position;
      /** Whether it belongs to a complete list of the source. */
      isOfList?: boolean;
    }
  | { startOfList: true; next: Position }
  | {
      /** The end of the list. Records of the source that were not in it are removed. */
      endOfList: true;
      next: Position;
    }
  | { next: Position };

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
  /** The file name that the body gets. */
  name: string;
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
   * LaneFailure, with SourcePostponed if the provider asks for a long pause, and with a LaneSkip when it
   * is canceled.
   */
  fetch(request: HttpRequest, options: FetchOptions): Promise<Fetched>;
}

export interface ProviderDeps {
  fetcher: Fetcher;
  settings: Settings;
  /** What the source keeps of the records. A provider that can filter is asked for no others. */
  selection: Selection;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** How often a provider may be asked. */
export interface Pace {
  /** The name of the provider in the records that lanes and sources share. */
  subject: string;
  /** By what the provider knows us. A pause does not apply to another account. */
  account(settings: Settings): string[];
  gapMs(settings: Settings): number;
  /** 0: no cap. */
  requestsPerDayMax(settings: Settings): number;
  /** What the headers of a response say about the limits. */
  quotaOf?(headers: Fetched['headers']): Quota;
}

export interface SourceProvider {
  name: ProviderName;
  /** One line for `--help`. */
  description: string;
  /** The options that it takes, beside `url`. */
  takes: readonly Exclude<keyof SourceOptions, 'url'>[];
  /** Requests of lanes and sources to one host share a pace. */
  pace: Pace | ((options: SourceOptions) => Pace);
  /** What is fetched, for the name of a source: `cs` of `arxiv-cs`. */
  subjectOf(options: SourceOptions): string;
  /** Throws `usage` for options that it cannot use, and for settings that are missing. */
  announce(options: SourceOptions, settings: Settings): Announcement;
  /**
   * Fetches what is new since a position, from the start without one. Every step may be repeated, also
   * after the process was killed.
   */
  steps(
    options: SourceOptions,
    position: Position | undefined,
    deps: ProviderDeps,
  ): AsyncGenerator<Step, void>;
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
