/** GET and POST /operator/explain: asks the index a question, and shows why each sentence was chosen. */
import { parseSearchFields } from '../../../http/validate.ts';
import type { ExplainedResult } from '../../../search/explain-quote.ts';
import { Empty } from '../../components/empty.tsx';
import { sentence } from '../../components/error-view.tsx';
import { Field } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { type View, withError } from '../../page/page.ts';
import { ExplainedQuote } from '../components/explained-quote.tsx';
import { operatorErrorOf } from '../page/change-once.ts';
import type { OperatorCall } from '../page/operator-call.ts';
import type { OperatorDeps } from '../page/operator-deps.ts';

/** What was asked, and the results or what is wrong with it. */
interface Asked {
  question?: string;
  results?: readonly ExplainedResult[];
  error?: string;
}

export function explainPage(_deps: OperatorDeps, call: OperatorCall): View {
  return explainView(call, {});
}

/** Answers a form, because logs and the browser would keep a question that is in an address. */
export async function explainForm(deps: OperatorDeps, call: OperatorCall): Promise<View> {
  const question = call.form.get('question') ?? '';
  try {
    const { query } = parseSearchFields({ query: question });
    return explainView(call, { question, results: await deps.index.explain(query) });
  } catch (error) {
    const operatorError = operatorErrorOf(error);
    return withError(
      explainView(call, { question, error: sentence(operatorError.message) }),
      operatorError,
    );
  }
}

function explainView(call: OperatorCall, { question, results, error }: Asked): View {
  return {
    title: 'Explain',
    main: (
      <>
        <PageHead title="Explain">
          Why a sentence was chosen for a question. Only the index is asked. Nobody is charged, and
          nothing is stored or counted.
        </PageHead>
        <section class="card" aria-label="Ask">
          <Form action="/operator/explain" token={call.formToken()}>
            <div class="ask">
              <Field
                label="Question"
                name="question"
                type="search"
                value={question}
                error={error}
                input={{ required: true, autoComplete: 'off' }}
              />
              <button class="button" type="submit">
                Explain
              </button>
            </div>
          </Form>
        </section>
        {results?.map((result, index) => (
          <ExplainedQuote key={result.citation.d} result={result} place={index + 1} />
        ))}
        {results?.length === 0 ? (
          <Empty title="No results">
            <p>The index has no paper to quote.</p>
          </Empty>
        ) : null}
      </>
    ),
  };
}
