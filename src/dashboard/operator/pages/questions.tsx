/** GET /operator/questions: how often the index had nothing close, and what the lanes did about it. */
import { monthsUpTo } from '../../../accounts/money.ts';
import type { KeptQuestion } from '../../../accounts/sql/answer-outcomes.ts';
import { daysUpTo } from '../../../accounts/sql/search-usage.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { formatCounted } from '../../components/format-values.ts';
import { PageHead } from '../../components/page-head.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { View } from '../../page/page.ts';
import { OlderPager } from '../components/older-pager.tsx';
import {
  OutcomeChart,
  OutcomeFigures,
  OutcomeTable,
  SpanTables,
} from '../components/outcome-tables.tsx';
import { beforeOf } from '../page/before.ts';
import { readsOf } from '../page/change-once.ts';
import type { OperatorCall } from '../page/operator-call.ts';
import type { OperatorDeps } from '../page/operator-deps.ts';
import { outcomeLabels, outcomeSpans } from '../page/outcome-spans.ts';

const PATH = '/operator/questions';
const DAYS = 30;
const MONTHS = 12;
const QUESTIONS_SHOWN = 50;

export async function questionsPage(deps: OperatorDeps, call: OperatorCall): Promise<View> {
  const before = beforeOf(call, 'a question');
  const now = deps.now();
  const monthNames = monthsUpTo(now, MONTHS);
  const { days, questions } = await readsOf(deps, call).readOutcomes({
    firstDay: `${monthNames[0]}-01`,
    before,
    limit: QUESTIONS_SHOWN + 1,
  });
  const byDay = outcomeSpans(days, daysUpTo(now, DAYS));
  return {
    title: 'Questions',
    main: (
      <>
        <PageHead
          title="Questions"
          action={
            <a class="button plain" href="/operator/explain">
              Explain a question
            </a>
          }
        >
          How often the index had nothing close to a question, and what the lanes did about it. Days
          are in UTC.
        </PageHead>
        {days.length === 0 ? (
          <Empty title="No searches yet">
            <p>Answered searches are counted here.</p>
          </Empty>
        ) : (
          <>
            <OutcomeFigures days={byDay} />
            <OutcomeChart days={byDay} />
            <OutcomeTable days={byDay} />
            <SpanTables days={byDay} months={outcomeSpans(days, monthNames)} />
          </>
        )}
        <section class="card" aria-labelledby="texts">
          <h2 id="texts">The questions themselves</h2>
          {deps.settings.keepQuestions ? (
            <Texts deps={deps} questions={questions} isFirst={before === undefined} />
          ) : (
            <NoTexts deps={deps} />
          )}
        </section>
      </>
    ),
  };
}

function NoTexts({ deps: { settings } }: { deps: OperatorDeps }) {
  return (
    <p class="soft measure">
      They are not kept. <code>VERBATIM_KEEP_QUESTIONS=true</code> keeps those to which the index
      had nothing close, for {formatCounted(settings.keptQuestionDaysMax, 'day')}. Tell your
      customers first.
    </p>
  );
}

interface TextsProps {
  deps: OperatorDeps;
  /** With one more than is shown, if there are older ones. */
  questions: readonly KeptQuestion[];
  isFirst: boolean;
}

function Texts({ deps: { settings }, questions, isFirst }: TextsProps) {
  const shown = questions.slice(0, QUESTIONS_SHOWN);
  const next = questions.length > QUESTIONS_SHOWN ? shown.at(-1)?.id : undefined;
  return (
    <>
      <p class="soft measure">
        Questions with nothing close in the index, without the name of the person who asked. Each is
        deleted after {formatCounted(settings.keptQuestionDaysMax, 'day')}, or earlier if that
        person’s account is deleted.
      </p>
      {shown.length === 0 ? (
        <p class="soft">{isFirst ? 'None yet.' : 'No older ones.'}</p>
      ) : (
        <DataTable
          caption="Newest first"
          isProse
          columns={[{ head: 'Question' }, { head: 'Asked' }, { head: 'Outcome' }]}
          rows={shown.map(({ id, text, askedAt, outcome }) => [
            text,
            <Timestamp key={id} time={askedAt} />,
            outcome === 'close' ? '–' : outcomeLabels[outcome],
          ])}
        />
      )}
      <OlderPager path={PATH} isFirst={isFirst} next={next} />
    </>
  );
}
