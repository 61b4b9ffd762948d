import { expect, it } from 'vitest';
import { countPages } from '../../src/commands/count-pages.ts';
import type { HttpRequest, HttpResponse } from '../../src/http/messages.ts';

const request = {} as HttpRequest;
const page: HttpResponse = { status: 200, headers: {}, body: '' };

it('counts a page from its request to its response, also if it fails', async () => {
  let finish = (): void => {};
  let fail = (): void => {};
  const responses = [
    new Promise<HttpResponse>((resolve) => {
      finish = () => resolve(page);
    }),
    new Promise<HttpResponse>((_, reject) => {
      fail = () => reject(new Error('no page'));
    }),
  ];
  const { respond, inFlight } = countPages(() => ({
    route: '/',
    response: responses.shift() as Promise<HttpResponse>,
  }));
  const first = respond(request, '1')?.response;
  const second = respond(request, '2')?.response;
  expect(inFlight()).toBe(2);
  finish();
  expect(await first).toBe(page);
  expect(inFlight()).toBe(1);
  fail();
  await expect(second).rejects.toThrow('no page');
  expect(inFlight()).toBe(0);
});

it('counts nothing where there is no page', () => {
  const { respond, inFlight } = countPages(() => undefined);
  expect(respond(request, '1')).toBeUndefined();
  expect(inFlight()).toBe(0);
});
