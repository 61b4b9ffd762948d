/** What tests of pages share: a server with customers, forms as programs send them, signing in. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Got, send } from '../http/contract.ts';
import { PASSWORD } from './history.ts';
import { copySampleIndex, removeDatabase, type Service, startService } from './service.ts';

export interface PageServer {
  /** By name: chromium treats localhost as a secure place, where scripts may copy. */
  readonly url: string;
  readonly database: string;
  readonly service: Service;
  /** Ends it, and starts another one on its database. */
  restart(
    env: Record<string, string>,
    how?: { signal?: NodeJS.Signals; options?: readonly string[] },
  ): Promise<void>;
}

/**
 * A server for the file that calls this, with what `fill` puts into its database before. `env` may be
 * known only then.
 */
export function useServer(
  fill: (database: string) => void | Promise<void>,
  env: Record<string, string> | (() => Record<string, string>) = {},
): PageServer {
  let service: Service;
  beforeAll(async () => {
    const database = await copySampleIndex();
    await fill(database);
    service = await startService(database, typeof env === 'function' ? env() : env);
  });
  afterAll(async () => {
    await service.end();
    await removeDatabase(service.database);
  });
  return {
    get url() {
      return service.url.replace('127.0.0.1', 'localhost');
    },
    get database() {
      return service.database;
    },
    get service() {
      return service;
    },
    async restart(next, { signal = 'SIGTERM', options = [] } = {}) {
      await service.end(signal);
      service = await startService(service.database, next, [], options);
    },
  };
}

/** Gives address and password, as people do. */
export async function givePassword(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto('/dashboard/sign-in');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Signs in as people do. */
export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await givePassword(page, email, password);
  await page.waitForURL('**/dashboard');
}

/** A browser of a few lines: cookies and forms, and nothing that protects anybody. */
export interface Client {
  /** Of the session, or of a visitor. */
  cookie: string;
  /** By which the browser is known, once it has signed in. */
  browserCookie: string;
  /** What waits for its sender to sign in: a form, or the second step. */
  otherCookie: string;
  get(path: string, headers?: Record<string, string>): Promise<Got>;
  /** The fields that every form of a page has: its token, and its idempotency key if it has one. */
  hidden(path: string): Promise<Record<string, string>>;
  /** Sends a form with the hidden fields of the page that has it. */
  submit(path: string, fields: Record<string, string>, from?: string): Promise<Got>;
  /** Sends a form as it is. */
  post(
    path: string,
    fields: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<Got>;
}

export function createClient(url: string, cookie = '', browserCookie = ''): Client {
  const client: Client = {
    cookie,
    browserCookie,
    otherCookie: '',
    async get(path, headers = {}) {
      return keepCookie(
        await send(url, {
          path,
          headers: { ...cookieOf(client), accept: 'text/html', ...headers },
        }),
      );
    },
    async hidden(path) {
      const { text } = await client.get(path);
      const [, form_copy] = /name="form_copy" value="([\w-]+)"/.exec(text) ?? [];
      return { form_token: formTokenIn(text), ...(form_copy !== undefined && { form_copy }) };
    },
    async submit(path, fields, from = path) {
      return client.post(path, { ...(await client.hidden(from)), ...fields });
    },
    async post(path, fields, headers = {}) {
      const sent = {
        ...cookieOf(client),
        accept: 'text/html',
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      };
      const body = new URLSearchParams(fields).toString();
      return keepCookie(await send(url, { method: 'POST', path, headers: sent, body }));
    },
  };
  const keepCookie = (got: Got): Got => {
    for (const header of got.headers['set-cookie'] ?? []) {
      const pair = header.split(';', 1)[0] ?? '';
      const kept = pair.endsWith('=') ? '' : pair;
      if (pair.includes('-browser=')) client.browserCookie = kept;
      else if (/-(pending|kept)=/.test(pair)) client.otherCookie = kept;
      else client.cookie = kept;
    }
    return got;
  };
  return client;
}

/** A client that is signed in. */
export async function signedInClient(
  url: string,
  email: string,
  password = PASSWORD,
): Promise<Client> {
  const client = createClient(url);
  const got = await client.submit('/dashboard/sign-in', { email, password });
  expect(got.status, got.text).toBe(303);
  return client;
}

export function formTokenIn(html: string): string {
  const token = /name="form_token" value="([\w-]+)"/.exec(html)?.[1];
  expect(token, 'a form with a token').toBeDefined();
  return token as string;
}

function cookieOf({ cookie, browserCookie, otherCookie }: Client): Record<string, string> {
  const cookies = [cookie, browserCookie, otherCookie].filter((one) => one !== '').join('; ');
  return cookies === '' ? {} : { cookie: cookies };
}
