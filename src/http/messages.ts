/** HTTP messages as the endpoints see them: values that outlive the connection. */
import type { BodyLimits } from './read-body.ts';

export interface HttpRequest {
  method: string;
  path: string;
  /** What follows the question mark, as it was sent; '' where nothing does. */
  query: string;
  /** What makes the head ambiguous; undefined where nothing does. */
  fault: string | undefined;
  /** A header by its name in lower case, '' where it is absent. */
  header(name: string): string;
  /** The address of the other end of the connection, '' where that has gone. */
  remoteAddress(): string;
  /** The body. Rejects with `body_too_large` or `body_timeout`. */
  readBody(limits: BodyLimits): Promise<Buffer>;
}

export interface HttpResponse {
  status: number;
  /** A header with several values is sent once for each. */
  headers: Record<string, string | string[]>;
  /**
   * Text, its bytes where it is compressed, or its pieces as they come: those are sent chunked, as
   * fast as the network takes them.
   */
  body: string | Buffer | AsyncIterable<string>;
  /** Whether it may be compressed: it has no secret beside text that others choose (BREACH). */
  mayCompress?: boolean;
  /** Closes the connection after the answer. */
  close?: boolean;
  /** Called once: with true when the answer was handed to the network, false when nobody was left. */
  onSent?: (left: boolean) => void;
}
