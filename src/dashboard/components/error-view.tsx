/** An error page: what happened, and where to go next. */
import { VerbatimError } from '../../errors.ts';
import { type View, withError } from '../page/page.ts';
import { ButtonLink } from './button.tsx';
import { PageHead } from './page-head.tsx';

const titles: Readonly<Record<number, string>> = {
  403: 'Access denied',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Not possible now',
  410: 'No longer available',
  429: 'Too many requests',
  500: 'Something went wrong',
  503: 'Temporarily unavailable',
};

const advice: Readonly<Record<number, string>> = {
  404: 'This page does not exist, or it belongs to another account.',
  500: 'The error was logged. You were not charged.',
};

export interface Leave {
  href: string;
  /** The text of the link. */
  text: string;
}

export interface ErrorViewOptions {
  /** Leads elsewhere than home, before the link that does. */
  leave?: Leave | undefined;
  /** Absent: the dashboard. */
  home?: Leave;
}

const dashboardHome: Leave = { href: '/dashboard', text: 'Go to the dashboard' };

/** Returns the page of an error. */
export function errorView(
  error: VerbatimError,
  { leave, home = dashboardHome }: ErrorViewOptions = {},
): View {
  const { status, message } = error;
  const title = titles[status] ?? 'Invalid request';
  const view: View = {
    title,
    isNarrow: true,
    main: (
      <>
        <p class="soft small">{status}</p>
        <PageHead title={title}>{advice[status] ?? sentence(message)}</PageHead>
        <div class="row">
          {leave === undefined ? null : <ButtonLink href={leave.href}>{leave.text}</ButtonLink>}
          <a class={leave === undefined ? 'button' : 'button plain'} href={home.href}>
            {home.text}
          </a>
        </div>
      </>
    ),
  };
  return withError(view, error);
}

/** Returns the page of an error if a page has nothing for the method of a request. */
export function methodNotAllowedView(
  page: { get?: unknown; post?: unknown },
  { method }: { method: string },
  options?: ErrorViewOptions,
): View | undefined {
  const allowed = [...(page.get ? ['GET', 'HEAD'] : []), ...(page.post ? ['POST'] : [])];
  if (allowed.includes(method)) return undefined;
  const view = errorView(new VerbatimError('method_not_allowed'), options);
  return { ...view, headers: { ...view.headers, Allow: allowed.join(', ') } };
}

/** Turns a message of the API into a sentence. */
export function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
