/** GET /operator/index: what is in the index, sources, builds, and updates; POST …/update, …/source, …/stop. */
import { VerbatimError } from '../../../errors.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import { sourceOf } from '../../../sources/ports/source.ts';
import { nextRunAt } from '../../../sources/update-hours.ts';
import { Empty } from '../../components/empty.tsx';
import { sentence } from '../../components/error-view.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { type View, withError } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import {
  BuildTable,
  FieldTable,
  IndexFigures,
  LanguageTable,
  SourceTable,
  YearChart,
} from '../components/index-totals.tsx';
import { INDEX_PATH, StartUpdate, UpdateRuns, UpdateTable } from '../components/index-updates.tsx';
import { SourceCards } from '../components/source-cards.tsx';
import { changeOnce, operatorErrorOf } from '../page/change-once.ts';
import type { OperatorCall } from '../page/operator-call.ts';
import type { OperatorDeps } from '../page/operator-deps.ts';
import { SOURCE_PREFIX } from '../page/update-runner.ts';

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

/** Starts an update. */
export async function updateForm(
  deps: OperatorDeps,
  call: OperatorCall,
): Promise<View | HttpResponse> {
  // With its control characters, so that they are refused.
  const path = (call.form.get('path') ?? '').replace(/^ +| +$/g, '');
  try {
    const isFirst = await changeOnce(deps, call, (store) =>
      deps.updates.start({
        path,
        actor: call.actor,
        note: () => store.noteIndexChange({ action: 'index add', path }),
      }),
    );
    return redirectTo(isFirst ? INDEX_PATH : `${INDEX_PATH}?done=repeated`);
  } catch (error) {
    const operatorError = operatorErrorOf(error);
    const message = sentence(operatorError.message);
    return withError(
      await indexView(deps, call, { entered: { path, error: message } }),
      operatorError,
    );
  }
}

/** Runs a source. */
export async function sourceForm(
  deps: OperatorDeps,
  call: OperatorCall,
): Promise<View | HttpResponse> {
  const name = call.form.get('source') ?? '';
  const path = `${SOURCE_PREFIX}${name}`;
  try {
    const known = await deps.index.sources();
    if (!known.some((source) => source.name === name)) {
      throw new VerbatimError('invalid_field', 'there is no such source');
    }
    await changeOnce(deps, call, (store) =>
      deps.updates.start({
        path,
        actor: call.actor,
        note: () => store.noteIndexChange({ action: 'source update', path: name }),
      }),
    );
    return redirectTo(INDEX_PATH);
  } catch (error) {
    const operatorError = operatorErrorOf(error);
    const message = sentence(operatorError.message);
    return withError(await indexView(deps, call, { sourceError: message }), operatorError);
  }
}

/** Stops the update that runs. */
export async function stopForm(deps: OperatorDeps, call: OperatorCall): Promise<HttpResponse> {
  await changeOnce(deps, call, (store) =>
    deps.updates.stop((path) => store.noteIndexChange({ action: 'index stop', path })),
  );
  return redirectTo(INDEX_PATH);
}

async function indexView(
  deps: OperatorDeps,
  call: OperatorCall,
  { entered, sourceError }: { entered?: Entered; sourceError?: string } = {},
): Promise<View> {
  const { updates, index } = deps;
  const [summary, builds, sources] = await Promise.all([
    index.summarize(),
    index.builds(BUILDS_SHOWN),
    index.sources(),
  ]);
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
        <Update deps={deps} call={call} entered={entered} />
        {sourceError === undefined ? null : (
          <Notice tone="bad">
            <p>{sourceError}</p>
          </Notice>
        )}
        <SourceCards
          sources={sources.map(sourceOf)}
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
          <section class="card" aria-labelledby="years">
            <h2 id="years">Papers by year</h2>
            <YearChart summary={summary} />
          </section>
          <section class="card" aria-labelledby="sources">
            <h2 id="sources">Sources</h2>
            <SourceTable summary={summary} />
          </section>
        </div>
        <div class="split">
          <section class="card" aria-labelledby="fields">
            <h2 id="fields">Fields of study</h2>
            <FieldTable summary={summary} />
          </section>
          <section class="card" aria-labelledby="languages">
            <h2 id="languages">Languages</h2>
            <LanguageTable summary={summary} />
          </section>
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
