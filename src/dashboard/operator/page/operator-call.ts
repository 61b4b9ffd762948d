/** A request for a page of the operator. */
import type { PresentOperator } from '../../../accounts/operator-sign-in.ts';
import type { SigningBrowser } from '../../../accounts/sign-in.ts';
import { VerbatimError } from '../../../errors.ts';
import type { AnyCall, PageOf } from '../../page/page.ts';
import type { OperatorDeps } from './operator-deps.ts';

/** An operator who is signed in. */
export interface SignedInOperator extends PresentOperator {
  email: string;
}

export interface OperatorCall extends AnyCall {
  /** Who asks, as the trail of actions names them: an address, or `loopback`. */
  actor: string;
  /** Who is signed in. Absent on the loopback interface, where nobody signs in. */
  present?: SignedInOperator;
}

export type OperatorPage = PageOf<OperatorDeps, OperatorCall>;

/** Returns who is signed in. Throws `not_found` on the loopback interface. */
export function presentOf({ present }: OperatorCall): SignedInOperator {
  if (present === undefined) throw new VerbatimError('not_found');
  return present;
}

/** A request for a page on the way in, from whomever. */
export interface EntryCall extends AnyCall {
  browser: SigningBrowser;
  isSignedIn: boolean;
}

export type EntryPage = PageOf<OperatorDeps, EntryCall>;
