/** GET /operator/trail: what operators changed, on these pages and on the command line. */
import { Empty } from '../../components/empty.tsx';
import { PageHead } from '../../components/page-head.tsx';
import type { View } from '../../page/page.ts';
import { ActionTable } from '../components/action-table.tsx';
import { OlderPager } from '../components/older-pager.tsx';
import { beforeOf } from '../page/before.ts';
import { readsOf } from '../page/change-once.ts';
import type { OperatorCall } from '../page/operator-call.ts';
import type { OperatorDeps } from '../page/operator-deps.ts';

const PATH = '/operator/trail';
const PAGE_ROWS = 50;

export async function trailPage(deps: OperatorDeps, call: OperatorCall): Promise<View> {
  const before = beforeOf(call, 'an action');
  const limit = PAGE_ROWS + 1;
  const found = await readsOf(deps, call).listActions({ before, limit });
  const actions = found.slice(0, PAGE_ROWS);
  const next = found.length > PAGE_ROWS ? actions.at(-1)?.id : undefined;
  return {
    title: 'Trail',
    main: (
      <>
        <PageHead title="Trail">
          Changes that operators made, on these pages and on the command line. Entries are never
          changed or deleted.
        </PageHead>
        {actions.length === 0 ? (
          <Empty title="Nothing here">
            <p>The trail begins with the first change after this version was installed.</p>
          </Empty>
        ) : (
          <section class="card" aria-label="Actions">
            <ActionTable actions={actions} />
          </section>
        )}
        <OlderPager path={PATH} isFirst={before === undefined} next={next} />
      </>
    ),
  };
}
