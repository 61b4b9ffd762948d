/** GET /operator/trail: what operators changed, on these pages and on the command line. */
import { VerbatimError } from '../../../errors.ts';
import { Empty } from '../../components/empty.tsx';
import { PageHead } from '../../components/page-head.tsx';
import type { View } from '../../page/page.ts';
import { ActionTable } from '../components/action-table.tsx';
import { readsOf } from '../page/change-once.ts';
import type { OperatorCall } from '../page/operator-call.ts';
import type { OperatorDeps } from '../page/operator-deps.ts';

const PATH = '/operator/trail';
const PAGE_ROWS = 50;

export async function trailPage(deps: OperatorDeps, call: OperatorCall): Promise<View> {
  const before = beforeOf(call);
  const limit = PAGE_ROWS + 1;
  const found = await readsOf(deps, call).listActions({ before, limit });
  const actions = found.slice(0, PAGE_ROWS);
  const next = found.length > PAGE_ROWS ? actions.at(-1)?.id : undefined;
  return {
    title: 'Trail',
    main: (
      <>
        <PageHead title="Trail">
          What operators changed, on these pages and on the command line. Entries are never changed
          or deleted.
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
        {before === undefined && next === undefined ? null : (
          <nav class="pager" aria-label="Pages">
            {before === undefined ? (
              <span />
            ) : (
              <a class="button plain" href={PATH}>
                Newest
              </a>
            )}
            {next === undefined ? null : (
              <a class="button plain" href={`${PATH}?before=${next}`}>
                Older
              </a>
            )}
          </nav>
        )}
      </>
    ),
  };
}

function beforeOf({ query }: OperatorCall): number | undefined {
  const text = query.get('before');
  if (text === null || text === '') return undefined;
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new VerbatimError('bad_request', `“${text}” is not the number of an action`);
}
