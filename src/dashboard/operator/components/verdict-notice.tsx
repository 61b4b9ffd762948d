/** The state of the server in one sentence, with what to do. */
import { alertTable, type Condition } from '../../../metrics/alerts/alert-kinds.ts';
import { Message, Notice } from '../../components/notice.tsx';
import { Timestamp } from '../../components/timestamp.tsx';

/**
 * Returns the verdict of conditions that are sorted, the worst first; undefined if all is well. Its sentence
 * has no full stop and no time: "Searches fail: the disk is full".
 */
export function verdictOf(conditions: readonly Condition[]) {
  const failing = conditions.find(({ kind }) => kind === 'searches');
  const blocking = conditions.filter(({ isBlocking }) => isBlocking);
  // What fails is the effect. Of what can be its cause, the worst one is named.
  const cause = blocking.find(({ kind }) => kind !== 'searches') ?? failing ?? conditions[0];
  if (cause === undefined) return undefined;
  const fails = blocking.length > 0;
  const tone: 'bad' | 'warn' = fails || cause.kind === 'damage' ? 'bad' : 'warn';
  return {
    tone,
    sentence: `${fails ? 'Searches fail:' : 'Searches work, but'} ${cause.text}`,
    cause,
    /** What is wrong besides. */
    others: conditions.filter((one) => one !== cause && one !== failing),
  };
}

export function VerdictNotice({ conditions }: { conditions: readonly Condition[] }) {
  const verdict = verdictOf(conditions);
  if (verdict === undefined) return <Message tone="good" text="All is well" />;
  const { tone, sentence, cause, others } = verdict;
  return (
    <Notice tone={tone}>
      <p>
        <strong>
          {sentence}, since <Timestamp time={cause.since ?? 0} />.
        </strong>
      </p>
      <p>
        {alertTable[cause.kind].advice} <More condition={cause} />
      </p>
      {others.length === 0 ? null : (
        <ul>
          {others.map((other) => (
            <li key={other.kind}>
              Also, {other.text}. <More condition={other} />
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

function More({ condition: { kind } }: { condition: Condition }) {
  const { path, title } = alertTable[kind];
  return <a href={path}>{title}</a>;
}
