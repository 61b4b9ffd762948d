/** What a page is made of: routes give views, the frame around them is put on in one place. */
import type { ComponentChildren } from 'preact';
import type { VerbatimError } from '../../errors.ts';
import { errorHeaders } from '../../http/responses.ts';

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
export function refused(view: View, error: VerbatimError): View {
  return { ...view, status: error.status, headers: { ...view.headers, ...errorHeaders(error) } };
}
