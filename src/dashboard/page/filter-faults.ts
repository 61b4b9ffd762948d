/** What pages and files answer to a wrong filter. */
import { VerbatimError } from '../../errors.ts';
import { describeErrors } from './filter-fields.ts';
import { type View, withError } from './page.ts';

interface Read {
  errors: Readonly<Record<string, string>>;
}

/** Returns the error `bad_request` that names the wrong fields; undefined if none is. */
export function filterFaultOf({ errors }: Read): VerbatimError | undefined {
  const described = describeErrors(errors);
  return described === undefined ? undefined : new VerbatimError('bad_request', described);
}

/** Throws that error. */
export function assertFilter(read: Read): void {
  const fault = filterFaultOf(read);
  if (fault !== undefined) throw fault;
}

/** Returns the page, as the response to that error if a field is wrong. */
export function withFilterFault(read: Read, view: View): View {
  const fault = filterFaultOf(read);
  return fault === undefined ? view : withError(view, fault);
}
