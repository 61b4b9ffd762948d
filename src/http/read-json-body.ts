/** Reads the bodies of requests that must be JSON. */
import { VerbatimError } from '../errors.ts';
import type { CallRecord } from './call-record.ts';
import { assertNotCompressed } from './content-encoding.ts';
import type { HttpRequest } from './messages.ts';
import type { BodyLimits } from './read-body.ts';

/**
 * Reads the body of a request that says it is JSON, without parsing it, and notes its
 * beginning as what was asked. Throws `media_type`,
 * `content_encoding`, `body_too_large`, and `body_timeout`.
 */
export async function readJsonBody(
  { request, record }: { request: HttpRequest; record: CallRecord },
  limits: BodyLimits & { requestTextMax: number },
): Promise<Buffer> {
  assertJson(request.header('content-type'));
  assertNotCompressed(request.header('content-encoding'));
  const body = await request.readBody(limits);
  // A character has at most four bytes.
  record.asked = body.subarray(0, 4 * limits.requestTextMax).toString();
  return body;
}

/** Throws `media_type` unless the content type is JSON. Parameters are ignored. */
function assertJson(contentType: string): void {
  const essence = contentType.split(';', 1)[0]?.trim().toLowerCase();
  if (essence !== 'application/json') throw new VerbatimError('media_type');
}
