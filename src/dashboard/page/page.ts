/** A page: a path, who may see it, and what it answers to GET and POST. */
import type { ComponentChildren } from 'preact';
import type { VerbatimError } from '../../errors.ts';
import type { HttpRequest, HttpResponse } from '../../http/messages.ts';
import { errorHeaders } from '../../http/responses.ts';
import type { Session } from '../../store/accounts/sessions.ts';
import type { DashboardDeps } from './dashboard-deps.ts';

/** One request for a page, read. */
export interface PageCall {
  request: HttpRequest;
  requestId: string;
  /** What stands in the path where the page's has `:name`. */
  parameters: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** The fields of the form; empty for GET. */
  form: URLSearchParams;
  /** What every form of the page must send back. A visitor without a cookie gets one by asking. */
  formToken(): string;
  /** The client's, for the throttles. */
  address(): string;
  /** The token in the cookie, of a session or of a visitor. */
  cookieToken: string | undefined;
  /** The token by which the browser may be known; see known-browser.ts. */
  browserToken: string | undefined;
  session: Session | undefined;
}

/** A request of somebody who is signed in. */
export interface CustomerCall extends PageCall {
  session: Session;
}

type Handler<Call> = (
  deps: DashboardDeps,
  call: Call,
) => View | HttpResponse | Promise<View | HttpResponse>;

interface PageOf<Call> {
  /** `:name` stands for one segment. */
  path: string;
  get?: Handler<Call>;
  post?: Handler<Call>;
}

export type Page =
  | (PageOf<PageCall> & { access: 'everybody' })
  | (PageOf<CustomerCall> & { access: 'customer' });

/** The page of a path with its parameters; undefined where there is none. */
export function findPage(
  pages: readonly Page[],
  path: string,
): { page: Page; parameters: Record<string, string> } | undefined {
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
      // Prefixes and ids of ours have nothing else; what has is not found.
      if (!/^[\w-]{1,64}$/.test(segment)) return undefined;
      parameters[expected.slice(1)] = segment;
    } else if (expected !== segment) return undefined;
  }
  return parameters;
}

export interface View {
  /** Of the window, and the page's heading where it has no other. */
  title: string;
  main: ComponentChildren;
  status?: number;
  /** One narrow column, for a form that is the whole page. */
  isNarrow?: boolean;
  headers?: Record<string, string>;
  /** Hosts that this page's forms may lead to, besides our own. */
  formTargets?: readonly string[];
  onSent?: (left: boolean) => void;
}

/** A form that is shown again, as the answer to an error: with its status, and what its headers say. */
export function withError(view: View, error: VerbatimError): View {
  return { ...view, status: error.status, headers: { ...view.headers, ...errorHeaders(error) } };
}
