/** Renders a view of the operator inside of its frame, as a response. */
import type { HttpResponse } from '../../http/messages.ts';
import { htmlResponse } from '../frame.tsx';
import type { AnyCall, View } from '../page/page.ts';
import { OperatorLayout } from './operator-layout.tsx';
import type { OperatorCall } from './page/operator-call.ts';
import type { OperatorDeps } from './page/operator-deps.ts';

/** What the frame shows of a call. Without an actor, nobody is there yet. */
export type FramedCall = Pick<AnyCall, 'request' | 'formToken'> &
  Partial<Pick<OperatorCall, 'actor' | 'present'>>;

export function frameOperator(
  { assets }: Pick<OperatorDeps, 'assets'>,
  { request, actor, present, formToken }: FramedCall,
  view: View,
): HttpResponse {
  return htmlResponse(
    view,
    <OperatorLayout
      title={view.title}
      assets={assets}
      path={request.path}
      actor={actor}
      signOutToken={present === undefined ? undefined : formToken()}
      isNarrow={view.isNarrow === true}
    >
      {view.main}
    </OperatorLayout>,
  );
}
