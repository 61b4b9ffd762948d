/** Which content types count as JSON, without a server. */
import { describe, expect, it } from 'vitest';
import { type CallRecord, newCallRecord } from '../../src/http/call-record.ts';
import type { HttpRequest } from '../../src/http/messages.ts';
import { readJsonBody } from '../../src/http/read-json-body.ts';

const limits = { bodyBytesMax: 10, bodyTimeoutMs: 10, requestTextMax: 10 };

function callWith(contentType: string): { request: HttpRequest; record: CallRecord } {
  const request: HttpRequest = {
    method: 'POST',
    path: '/',
    query: '',
    fault: undefined,
    header: (name) => (name === 'content-type' ? contentType : ''),
    remoteAddress: () => '',
    readBody: async () => Buffer.from('{}'),
  };
  return { request, record: newCallRecord() };
}

describe('readJsonBody', () => {
  it.each([
    ...['application/json', 'APPLICATION/JSON', ' application/json ', 'application/json;charset=x'],
    ...['application/json ;', 'application/json; a=b; c=d'],
  ])('takes "%s"', async (contentType) => {
    const call = callWith(contentType);
    expect(String(await readJsonBody(call, limits))).toBe('{}');
    expect(call.record.asked).toBe('{}');
  });

  it.each(['', ';', 'json', 'text/json', 'application/json5', 'x; application/json', '/json'])(
    'refuses "%s"',
    async (contentType) => {
      const reading = readJsonBody(callWith(contentType), limits);
      await expect(reading).rejects.toMatchObject({ code: 'media_type' });
    },
  );
});
