/** Where a page of a list begins, from the query. Pure. */
import { VerbatimError } from '../../../errors.ts';
import type { OperatorCall } from './operator-call.ts';

/** Returns the number of what the page comes after; undefined for the newest page. */
export function beforeOf({ query }: Pick<OperatorCall, 'query'>, what: string): number | undefined {
  const text = query.get('before');
  if (text === null || text === '') return undefined;
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new VerbatimError('bad_request', `“${text}” is not the number of ${what}`);
}
