/** A card for each source of papers: its state, what it brought, and the button that runs it. */
import { abstractShareOf, type Source, stateOf } from '../../../sources/ports/source.ts';
import { Card } from '../../components/card.tsx';
import { formatCount, formatCounted } from '../../components/format-values.ts';
import { Timestamp } from '../../components/timestamp.tsx';
import { SOURCE_PREFIX } from '../page/update-runner.ts';
import { ChangeForm } from './change-form.tsx';
import { INDEX_PATH } from './index-updates.tsx';

export interface SourceCardsProps {
  sources: readonly Source[];
  token: string;
  /** Whether an update runs, or none can be started here. */
  isBusy: boolean;
  /** When the server starts the next run, in milliseconds since 1970; undefined: it starts none. */
  nextRunAt: number | undefined;
}

export function SourceCards({ sources, nextRunAt, ...props }: SourceCardsProps) {
  if (sources.length === 0) {
    return (
      <p class="soft measure">
        Nothing is fetched. <code>verbatim source add</code> fetches papers from arXiv, OpenAlex,
        PubMed, Crossref, an address, or a folder, and keeps them up to date.
      </p>
    );
  }
  return (
    <>
      <p class="soft">
        {nextRunAt === undefined
          ? 'The server starts no runs of sources: see VERBATIM_SOURCE_UPDATE_HOURS.'
          : 'The next run of all sources starts at '}
        {nextRunAt === undefined ? null : <Timestamp time={nextRunAt} />}
      </p>
      <div class="split">
        {sources.map((source) => (
          <SourceCard key={source.name} source={source} {...props} />
        ))}
      </div>
    </>
  );
}

function SourceCard({
  source,
  token,
  isBusy,
}: { source: Source } & Pick<SourceCardsProps, 'token' | 'isBusy'>) {
  const { name, provider, isRunning } = source;
  const { run, papers, succeededAt, retryAt } = source.state;
  const state = stateOf(source);
  return (
    <Card id={`source-${name}`} title={<span class="mono">{name}</span>}>
      <p>
        <span class={`badge ${tones[state] ?? ''}`}>{state}</span> {provider},{' '}
        {formatCounted(papers, 'paper')}
        {papers === 0 ? null : `, ${abstractShareOf(source)} with an abstract`}
      </p>
      <Progress source={source} />
      <p class="soft">
        {succeededAt === null ? 'Never complete.' : 'Complete at '}
        {succeededAt === null ? null : <Timestamp time={succeededAt} />}
        {run === null ? null : ` The last run took ${formatCounted(run.requests, 'request')}.`}
      </p>
      {retryAt === null ? (
        run?.message && <p>{run.message}</p>
      ) : (
        <p>
          The provider asks not to be contacted before <Timestamp time={retryAt} />.
        </p>
      )}
      {isBusy || isRunning ? null : (
        <ChangeForm
          action={`${INDEX_PATH}/update`}
          token={token}
          button={`Run ${name}`}
          tone="plain"
        >
          <input type="hidden" name="path" value={`${SOURCE_PREFIX}${name}`} />
        </ChangeForm>
      )}
    </Card>
  );
}

function Progress({ source: { state } }: { source: Source }) {
  const progress = state.run?.progress;
  if (!progress || state.run?.outcome === 'done') return null;
  const { done, total, unit } = progress;
  return (
    <p>
      <progress aria-label={`Fetched ${unit}`} max={total} value={done} /> {formatCount(done)} of{' '}
      {formatCount(total)} {unit}
    </p>
  );
}

const tones: Readonly<Record<string, string>> = { done: 'good', failed: 'bad', stopped: 'bad' };
