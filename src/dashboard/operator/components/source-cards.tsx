/** A card for each source of papers: its state, what it brought, and the button that runs it. */
import { type Source, stateOf } from '../../../sources/ports/source.ts';
import { formatCount, formatCounted } from '../../components/format-values.ts';
import { Timestamp } from '../../components/timestamp.tsx';
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
    <section class="stack" aria-labelledby="fetched">
      <h2 id="fetched">Fetched sources</h2>
      <p class="soft">
        {nextRunAt === undefined ? (
          <>
            The server starts no runs of its own: see <code>VERBATIM_SOURCE_UPDATE_HOURS</code>.
          </>
        ) : (
          <>
            The next run of all starts at <Timestamp time={nextRunAt} />.
          </>
        )}
      </p>
      <div class="split">
        {sources.map((source) => (
          <SourceCard key={source.name} source={source} {...props} />
        ))}
      </div>
    </section>
  );
}

function SourceCard({
  source,
  token,
  isBusy,
}: { source: Source } & Pick<SourceCardsProps, 'token' | 'isBusy'>) {
  const { name, provider, state } = source;
  const { run, papers, abstracts, succeededAt, retryAt } = state;
  const share = papers === 0 ? 0 : Math.round((100 * abstracts) / papers);
  return (
    <section class="card" aria-labelledby={`source-${name}`}>
      <h3 id={`source-${name}`} class="mono">
        {name}
      </h3>
      <p>
        <StateBadge source={source} /> {provider}, {formatCounted(papers, 'paper')}
        {papers === 0 ? null : `, ${share} % with an abstract`}
      </p>
      <Progress source={source} />
      <p class="soft">
        {succeededAt === null ? (
          'Never complete.'
        ) : (
          <>
            Complete at <Timestamp time={succeededAt} />.
          </>
        )}
        {run === null ? null : ` The last run took ${formatCounted(run.requests, 'request')}.`}
      </p>
      {run?.message && retryAt === null ? <p>{run.message}</p> : null}
      {retryAt === null ? null : (
        <p>
          The provider asks not to be contacted before <Timestamp time={retryAt} />.
        </p>
      )}
      {isBusy || source.isRunning ? null : (
        <ChangeForm
          action={`${INDEX_PATH}/source`}
          token={token}
          button={`Run ${name}`}
          tone="plain"
        >
          <input type="hidden" name="source" value={name} />
        </ChangeForm>
      )}
    </section>
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

function StateBadge({ source }: { source: Source }) {
  const state = stateOf(source);
  return <span class={`badge ${tones[state] ?? ''}`}>{state}</span>;
}
