/** Pages: their paths, access, handlers, calls and views. */
import type { ComponentChildren } from 'preact';
import type { BalanceView } from '../../accounts/credit.ts';
import type { Session } from '../../accounts/sql/sessions.ts';
import type { VerbatimError } from '../../errors.ts';
import type { HttpRequest, HttpResponse } from '../../http/messages.ts';
import { errorHeaders } from '../../http/responses.ts';
import type { Settings } from '../../settings/config.ts';
import type { DashboardDeps } from './dashboard-deps.ts';

/** A parsed request for a page of whomever. */
export interface AnyCall {
  request: HttpRequest;
  requestId: string;
  /** The path segments that match `:name` in the page's path. */
  parameters: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** The fields of the form; empty for GET. */
  form: URLSearchParams;
  /** Returns the token for the page's forms. Gives a visitor without a cookie a new one. */
  formToken(): string;
  /** The cookie token of a session or a visitor. */
  cookieToken: string | undefined;
}

/** A parsed request for a page of customers. */
export interface PageCall extends AnyCall {
  /** Returns the client's address, for throttles. */
  address(): string;
  /** The token of a possibly known browser; see known-browser.ts. */
  browserToken: string | undefined;
  session: Session | undefined;
}

/** A request from a signed-in customer. */
export interface CustomerCall extends PageCall {
  session: Session;
}

/** What a page answers. */
export type Reply = View | HttpResponse;

export type Handler<Deps, Call> = (deps: Deps, call: Call) => Reply | Promise<Reply>;

/** A handler of forms that may show its page again, with what was typed and what is wrong. */
export type FormHandler<Deps, Call> = Handler<Deps, Call> & {
  again?: (deps: Deps, call: Call, error: VerbatimError) => Reply | Promise<Reply>;
};

export interface PageOf<Deps, Call> {
  /** `:name` matches one segment. */
  path: string;
  /** The limit of its form, if that may be longer than others. */
  formBytesMax?: (settings: Settings) => number;
  get?: Handler<Deps, Call>;
  post?: FormHandler<Deps, Call>;
}

export type Page =
  | (PageOf<DashboardDeps, PageCall> & { access: 'everybody' })
  | (PageOf<DashboardDeps, CustomerCall> & { access: 'customer' });

/** Finds the page of a path, with its parameters; undefined if there is none. */
export function findPage<Found extends { path: string }>(
  pages: readonly Found[],
  path: string,
): { page: Found; parameters: Record<string, string> } | undefined {
  const segments = path.split('/');
  for (const page of pages) {
    const parameters = matchPath(page.path.split('/'), segments);
    if (parameters !== undefined) return { page, parameters };
  }
  return undefined;
}

function matchPath(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (expected.startsWith(':')) {
      // Our prefixes and ids contain nothing else; other values match no page.
      if (!/^[\w-]{1,64}$/.test(segment)) return undefined;
      parameters[expected.slice(1)] = segment;
    } else if (expected !== segment) return undefined;
  }
  return parameters;
}

export interface View {
  /** The window title. */
  title: string;
  /** What previews of links to the page say; absent for pages that are not public. */
  description?: string;
  main: ComponentChildren;
  status?: number;
  /** Shows one narrow column, for a page that is only a form. */
  isNarrow?: boolean;
  headers?: Record<string, string>;
  /** The balance that the page shows, so that its frame shows the same; read for the frame if absent. */
  balance?: BalanceView;
  /** Other hosts that this page's forms may lead to. */
  formTargets?: readonly string[];
  onSent?: (left: boolean) => void;
}

/** Returns the view as the response to an error, with its status and headers. */
export function withError(view: View, error: VerbatimError): View {
  return { ...view, status: error.status, headers: { ...view.headers, ...errorHeaders(error) } };
}
