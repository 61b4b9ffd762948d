/** HTTP messages as plain values, independent of the framework and the connection. */
import type { BodyLimits } from './read-body.ts';

export interface HttpRequest {
  method: string;
  path: string;
  /** The raw query string after the question mark; '' if there is none. */
  query: string;
  /** Why the head is ambiguous; undefined if it is not. */
  fault: string | undefined;
  /** Returns a header by its lower-case name; '' if absent. */
  header(name: string): string;
  /** The peer's address; '' if the connection is gone. */
  remoteAddress(): string;
  /** Reads the body. Rejects with `body_too_large` or `body_timeout`. */
  readBody(limits: BodyLimits): Promise<Buffer>;
}

export interface HttpResponse {
  status: number;
  /** An array sends the header once for each value. */
  headers: Record<string, string | string[]>;
  /**
   * Text, compressed bytes, or a stream of pieces. A stream is sent chunked, as fast as the network
   * accepts it.
   */
  body: string | Buffer | AsyncIterable<string | Uint8Array>;
  /**
   * Whether compression is safe: the body holds no secret next to text that an attacker can choose
   * (BREACH).
   */
  mayCompress?: boolean;
  /** Closes the connection after the response. */
  close?: boolean;
  /**
   * Called exactly once: with true when the response was handed to the network, with false when the
   * client was gone.
   */
  onSent?: (left: boolean) => void;
}
