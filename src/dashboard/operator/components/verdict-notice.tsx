/** The state of the server in one sentence, with what to do. */
import { type AlertKind, alertTable } from '../../../metrics/alerts/alert-kinds.ts';
import type { Verdict } from '../../../metrics/alerts/verdict.ts';
import { Notice } from '../../components/notice.tsx';
import { Timestamp } from '../../components/timestamp.tsx';

/** Where an operator reads more. */
function pathOf(kind: AlertKind): string {
  return alertTable[kind].isShared ? '/operator/money' : `/operator/alerts#${kind}`;
}

export function VerdictNotice({ verdict }: { verdict: Verdict }) {
  const { tone, sentence, since, advice, cause, others } = verdict;
  return (
    <Notice tone={tone}>
      <p>
        <strong>
          {sentence}
          {since === undefined ? null : (
            <>
              , since <Timestamp time={since} />
            </>
          )}
          .
        </strong>
      </p>
      {cause === undefined ? null : (
        <p>
          {advice} <a href={pathOf(cause.kind)}>{alertTable[cause.kind].title}</a>
        </p>
      )}
      {others.length === 0 ? null : (
        <ul>
          {others.map(({ kind, text }) => (
            <li key={kind}>
              Also, {text}. <a href={pathOf(kind)}>{alertTable[kind].title}</a>
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
