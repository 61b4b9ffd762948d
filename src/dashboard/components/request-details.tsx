/** Everything that is kept of one request. */
import type { ComponentChildren } from 'preact';
import type { EntryKind } from '../../accounts/sql/credit-entries.ts';
import type { RequestRecord } from '../../accounts/sql/request-pages.ts';
import type { RequestDetails } from '../../accounts/sql/request-rows.ts';
import { Card } from './card.tsx';
import { DataTable } from './data-table.tsx';
import { FactList } from './fact-list.tsx';
import { formatChange, formatCount, formatCounted, formatMilliseconds } from './format-values.ts';
import { PageHead } from './page-head.tsx';
import { Status } from './request-table.tsx';
import { Snippet } from './snippet.tsx';
import { Timestamp } from './timestamp.tsx';

export interface RequestDetailsViewProps {
  request: RequestRecord;
  action?: ComponentChildren;
  /** Said in place of what was asked. */
  unkept?: ComponentChildren;
}

export function RequestDetailsView({ request, action, unkept }: RequestDetailsViewProps) {
  const details = JSON.parse(request.details) as RequestDetails;
  const { stages = {}, error, notes = {} } = details;
  return (
    <>
      <PageHead title="Request" action={action}>
        <Status status={request.status} code={request.code} /> <code>{request.path}</code>{' '}
        <Timestamp time={request.createdAt} hasSeconds />
      </PageHead>
      <Card id="facts" title="What became of it">
        <Facts request={request} isLost={details.isLost === true} notes={notes} />
        {error === undefined ? null : (
          <Snippet id="error" label="The error, as it was sent" code={error} isWrapped />
        )}
      </Card>
      <Card id="asked-head" title="What was asked">
        {request.asked === null ? (
          (unkept ?? <p class="soft">This is not kept.</p>)
        ) : (
          <Snippet id="asked" label="Body or query" code={readable(request.asked)} isWrapped />
        )}
      </Card>
      <div class="split">
        <Card id="cost" title="What it cost">
          <Cost request={request} />
        </Card>
        <Card id="timing" title="Where the time went">
          <Stages stages={stages} total={request.milliseconds} />
        </Card>
      </div>
    </>
  );
}

interface FactsProps {
  request: RequestRecord;
  isLost: boolean;
  notes: Readonly<Record<string, unknown>>;
}

function Facts({ request, isLost, notes }: FactsProps) {
  const facts: [label: string, value: string][] = [
    ['Request id', request.requestId],
    ['Key', `${request.keyName} ${request.keyPrefix}`],
    ['Latency', formatMilliseconds(request.milliseconds)],
    ['Lanes that contributed', request.lanes?.replaceAll(',', ', ') ?? 'none'],
    ...Object.entries(notes).map(([name, value]): [string, string] => [
      noteLabels[name] ?? name,
      String(value),
    ]),
    ['Response', isLost ? 'not received: the client was gone' : ''],
  ];
  return <FactList facts={facts.map(([label, value]) => ({ label, lines: [value] }))} />;
}

/** What the log calls them. */
const noteLabels: Readonly<Record<string, string>> = {
  lanes: 'What the lanes did',
  repeats: 'Repeats the request',
  questions: 'Questions',
  answered: 'Questions answered',
  degraded: 'Database not writable',
  tool: 'Tool',
};

function Cost({ request: { entries, credits, code } }: { request: RequestRecord }) {
  if (entries.length === 0) {
    return (
      <p class="soft">
        {code === null
          ? 'Nothing: this request is free.'
          : 'Nothing: a request that fails is free.'}
      </p>
    );
  }
  return (
    <>
      <p>{formatCounted(credits, 'credit')}</p>
      <DataTable
        caption="Entries of the ledger"
        isCompact
        columns={[{ head: 'Entry' }, { head: 'Credits', isNumber: true }, { head: 'Note' }]}
        rows={Object.entries(entryWords).flatMap(([kind, word]) => {
          const own = entries.filter((entry) => entry.kind === kind);
          if (own.length === 0) return [];
          // A batch has many entries of each kind.
          const change = own.reduce((sum, entry) => sum + entry.credits, 0);
          const note = own.find((entry) => entry.note !== null)?.note ?? '–';
          const times = own.length === 1 ? '' : ` (${formatCount(own.length)} times)`;
          return [[word + times, formatChange(change), note]];
        })}
      />
    </>
  );
}

/** What a request can have. */
const entryWords: Readonly<Partial<Record<EntryKind, string>>> = {
  hold: 'Held before the answer',
  settle: 'Charged when it was sent',
  release: 'Released, not charged',
  refund: 'Refunded',
};

const stageLabels: Readonly<Record<string, string>> = {
  queue: 'Waiting for a thread',
  embed: 'Embedding the question',
  words: 'Full text',
  dense: 'Vectors',
  rank: 'Ranking',
  cite: 'Choosing sentences',
  lanes: 'Lanes',
  ledger: 'Holding the credit, meanwhile',
};

function Stages({ stages, total }: { stages: Readonly<Record<string, number>>; total: number }) {
  const rows = Object.entries(stages);
  if (rows.length === 0) return <p class="soft">{formatMilliseconds(total)} in all.</p>;
  return (
    <DataTable
      caption={`Milliseconds, ${formatCount(total)} in all`}
      isCompact
      columns={[{ head: 'Step' }, { head: 'ms', isNumber: true }, { head: 'Share' }]}
      rows={rows.map(([stage, milliseconds]) => [
        stageLabels[stage] ?? stage,
        milliseconds.toFixed(1),
        <meter key="share" value={milliseconds} max={Math.max(total, milliseconds)}>
          {Math.round((100 * milliseconds) / Math.max(1, total))}%
        </meter>,
      ])}
    />
  );
}

/** Indents JSON. Other texts, such as a query or a body that was cut, stay as they are. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
