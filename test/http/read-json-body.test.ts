/** Which content types count as JSON, without a server. */
import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../src/http/messages.ts';
import { readJsonBody } from '../../src/http/read-json-body.ts';

const limits = { bodyBytesMax: 10, bodyTimeoutMs: 10 };

function requestWith(contentType: string): HttpRequest {
  return {
    method: 'POST',
    path: '/',
    query: '',
    fault: undefined,
    header: (name) => (name === 'content-type' ? contentType : ''),
    remoteAddress: () => '',
    readBody: async () => Buffer.from('{}'),
  };
}

describe('readJsonBody', () => {
  it.each([
    ...['application/json', 'APPLICATION/JSON', ' application/json ', 'application/json;charset=x'],
    ...['application/json ;', 'application/json; a=b; c=d'],
  ])('takes "%s"', async (contentType) => {
    expect(String(await readJsonBody(requestWith(contentType), limits))).toBe('{}');
  });

  it.each(['', ';', 'json', 'text/json', 'application/json5', 'x; application/json', '/json'])(
    'refuses "%s"',
    async (contentType) => {
      const reading = readJsonBody(requestWith(contentType), limits);
      await expect(reading).rejects.toMatchObject({ code: 'media_type' });
    },
  );
});
