/** GET /operator/index: what is in the index, sources, builds, and updates; POST …/update and …/stop. */
import type { IndexChange } from '../../../accounts/sql/trail-entries.ts';
import { VerbatimError } from '../../../errors.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import { nextRunAt } from '../../../sources/update-hours.ts';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { sentence } from '../../components/error-view.tsx';
import {
  FieldTable,
  LanguageTable,
  SourceTable,
  YearChart,
} from '../../components/index-totals.tsx';
import { Message, Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { type View, withError } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import { BuildTable, IndexFigures } from '../components/index-totals.tsx';
import { INDEX_PATH, StartUpdate, UpdateRuns, UpdateTable } from '../components/index-updates.tsx';
import { SourceCards } from '../components/source-cards.tsx';
import { changeOnce, operatorErrorOf } from '../page/change-once.ts';
import type { OperatorCall } from '../page/operator-call.ts';
import type { OperatorDeps } from '../page/operator-deps.ts';
import { sourceIn } from '../page/update-runner.ts';

const BUILDS_SHOWN = 10;
const UPDATES_SHOWN = 10;

/** What was entered into the form that starts an update, and what is wrong with it. */
interface Entered {
  path: string;
  error: string;
}

export async function indexPage(deps: OperatorDeps, call: OperatorCall): Promise<View> {
  return await indexView(deps, call);
}

/** Starts an update of files, or of a source. */
export async function updateForm(
  deps: OperatorDeps,
  call: OperatorCall,
): Promise<View | HttpResponse> {
  // With its control characters, so that they are refused.
  const path = (call.form.get('path') ?? '').replace(/^ +| +$/g, '');
  const source = sourceIn(path);
  const change: IndexChange =
    source === undefined
      ? { action: 'index add', path }
      : { action: 'source update', path: source };
  try {
    const known = await deps.index.sources();
    if (source !== undefined && !known.some(({ name }) => name === source)) {
      throw new VerbatimError('invalid_field', 'there is no such source');
    }
    const isFirst = await changeOnce(deps, call, (store) =>
      deps.updates.start({ path, actor: call.actor, note: () => store.noteIndexChange(change) }),
    );
    return redirectTo(isFirst ? INDEX_PATH : `${INDEX_PATH}?done=repeated`);
  } catch (error) {
    const operatorError = operatorErrorOf(error);
    const entered = { path, error: sentence(operatorError.message) };
    return withError(await indexView(deps, call, entered), operatorError);
  }
}

/** Stops the update that runs. */
export async function stopForm(deps: OperatorDeps, call: OperatorCall): Promise<HttpResponse> {
  await changeOnce(deps, call, (store) =>
    deps.updates.stop((path) => store.noteIndexChange({ action: 'index stop', path })),
  );
  return redirectTo(INDEX_PATH);
}

async function indexView(deps: OperatorDeps, call: OperatorCall, entered?: Entered): Promise<View> {
  const { updates, index } = deps;
  const [summary, builds, sources] = await Promise.all([
    index.summarize(),
    index.builds(BUILDS_SHOWN),
    index.sources(),
  ]);
  const isOfSource = entered !== undefined && sourceIn(entered.path) !== undefined;
  const isBusy = updates.running() !== undefined || deps.settings.readOnlyIndex !== '';
  const started = updates.list(UPDATES_SHOWN);
  return {
    title: 'Index',
    main: (
      <>
        <PageHead title="Index">What searches find, and where it came from.</PageHead>
        {call.query.get('done') === 'repeated' ? (
          <Notice tone="plain">
            <p>This form was submitted before, and acted once.</p>
          </Notice>
        ) : null}
        <IndexFigures summary={summary} now={deps.now()} />
        <Update deps={deps} call={call} entered={isOfSource ? undefined : entered} />
        <Message tone="bad" text={isOfSource ? entered?.error : undefined} />
        <SourceCards
          sources={sources}
          token={call.formToken()}
          isBusy={isBusy}
          nextRunAt={nextRunAt(deps.settings.sourceUpdateHours, deps.now())}
        />
        {started.length === 0 ? null : (
          <section class="card" aria-label="Updates">
            <UpdateTable updates={started} />
          </section>
        )}
        <div class="split">
          <Card id="years" title="Papers by year">
            <YearChart summary={summary} />
          </Card>
          <Card id="sources" title="Sources">
            <SourceTable summary={summary} />
          </Card>
        </div>
        <div class="split">
          <Card id="fields" title="Fields of study">
            <FieldTable summary={summary} />
          </Card>
          <Card id="languages" title="Languages">
            <LanguageTable summary={summary} />
          </Card>
        </div>
        {builds.length === 0 ? (
          <Empty title="No builds yet">
            <p>
              Each run of <code>verbatim index add</code> leaves a report here.
            </p>
          </Empty>
        ) : (
          <section class="card" aria-label="Builds">
            <BuildTable builds={builds} />
          </section>
        )}
      </>
    ),
  };
}

interface UpdateProps {
  deps: OperatorDeps;
  call: OperatorCall;
  entered: Entered | undefined;
}

function Update({ deps: { updates, settings }, call, entered }: UpdateProps) {
  const running = updates.running();
  const token = call.formToken();
  if (running !== undefined) {
    return (
      <>
        {entered === undefined ? null : (
          <Notice tone="bad">
            <p>{entered.error}</p>
          </Notice>
        )}
        <UpdateRuns update={running} token={token} />
      </>
    );
  }
  const reason = updates.rejection();
  if (reason === undefined) {
    return <StartUpdate folder={settings.updateFolder} token={token} {...entered} />;
  }
  return (
    <p class="soft">
      {settings.readOnlyIndex === '' ? (
        <>
          To update the index from here, put records into a folder and name it in{' '}
          <code>VERBATIM_UPDATE_FOLDER</code>.
        </>
      ) : (
        <>This server reads copies of an index, which another machine builds.</>
      )}
    </p>
  );
}
