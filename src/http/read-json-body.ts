/** Reads the bodies of requests that must be JSON. */
import { VerbatimError } from '../errors.ts';
import { assertNotCompressed } from './content-encoding.ts';
import type { HttpRequest } from './messages.ts';
import type { BodyLimits } from './read-body.ts';

/**
 * Reads the body of a request that says it is JSON, without parsing it. Throws `media_type`,
 * `content_encoding`, `body_too_large`, and `body_timeout`.
 */
export async function readJsonBody(request: HttpRequest, limits: BodyLimits): Promise<Buffer> {
  assertJson(request.header('content-type'));
  assertNotCompressed(request.header('content-encoding'));
  return await request.readBody(limits);
}

/** Throws `media_type` unless the content type is JSON. Parameters are ignored. */
function assertJson(contentType: string): void {
  const essence = contentType.split(';', 1)[0]?.trim().toLowerCase();
  if (essence !== 'application/json') throw new VerbatimError('media_type');
}
