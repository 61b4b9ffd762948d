/** A request for a page of the operator. */
import type { AnyCall, PageOf } from '../../page/page.ts';
import type { OperatorDeps } from './operator-deps.ts';

export interface OperatorCall extends AnyCall {
  /** Who asks, as the trail of actions names them: an address, or `loopback`. */
  actor: string;
}

export type OperatorPage = PageOf<OperatorDeps, OperatorCall>;
