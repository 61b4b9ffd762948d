/** An error as a page: what happened, and where to go from here. */
import type { VerbatimError } from '../../errors.ts';
import { type View, withError } from '../page/page.ts';
import { PageHead } from './page-head.tsx';

const titles: Readonly<Record<number, string>> = {
  403: 'Refused',
  404: 'Not found',
  405: 'Not possible here',
  410: 'Over',
  429: 'Too many tries',
  500: 'Something went wrong',
  503: 'Not available right now',
};

const advice: Readonly<Record<number, string>> = {
  404: 'There is nothing at this address, or it is not yours.',
  500: 'It has been noted. Nothing was charged for what was not delivered.',
};

export function errorView(error: VerbatimError): View {
  const { status, message } = error;
  const title = titles[status] ?? 'This was not understood';
  const view: View = {
    title,
    isNarrow: true,
    main: (
      <>
        <p class="soft small">{status}</p>
        <PageHead title={title}>{advice[status] ?? sentence(message)}</PageHead>
        <div>
          <a class="button" href="/dashboard">
            To the dashboard
          </a>
        </div>
      </>
    ),
  };
  return withError(view, error);
}

/** A message of the API as a sentence. */
export function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
