/** Renders a view of the operator inside of its frame, as a response. */
import type { HttpResponse } from '../../http/messages.ts';
import { htmlResponse } from '../frame.tsx';
import type { View } from '../page/page.ts';
import { OperatorLayout } from './operator-layout.tsx';
import type { OperatorCall } from './page/operator-call.ts';
import type { OperatorDeps } from './page/operator-deps.ts';

export function frameOperator(
  { assets }: OperatorDeps,
  { request, actor }: OperatorCall,
  view: View,
): HttpResponse {
  return htmlResponse(
    view,
    <OperatorLayout
      title={view.title}
      assets={assets}
      path={request.path}
      actor={actor}
      isNarrow={view.isNarrow === true}
    >
      {view.main}
    </OperatorLayout>,
  );
}
