/** GET and POST /operator/alerts: what operators are alerted of, from when on; POST …/test sends a test. */
import { VerbatimError } from '../../../errors.ts';
import { type AlertKind, alertKinds, alertTable } from '../../../metrics/alerts/alert-kinds.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Message } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { typed } from '../../page/forms.ts';
import { type Reply, type View, withError } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import { ChangeForm } from '../components/change-form.tsx';
import { changeOnce, operatorErrorOf } from '../page/change-once.ts';
import type { OperatorCall } from '../page/operator-call.ts';
import type { OperatorDeps } from '../page/operator-deps.ts';

const PATH = '/operator/alerts';

const thresholdName = (kind: AlertKind): string => `${kind}_threshold`;

export async function alertsPage(deps: OperatorDeps, call: OperatorCall): Promise<View> {
  const isSaved = call.query.get('done') === 'saved';
  return await alertsView(deps, call, isSaved ? { good: 'The alerts were saved' } : {});
}

interface Said {
  good?: string;
  bad?: string;
  /** The form with a mistake, which is shown again. */
  entered?: URLSearchParams;
}

async function alertsView(
  deps: OperatorDeps,
  call: OperatorCall,
  { good, bad, entered }: Said,
): Promise<View> {
  const { alerts, history } = deps;
  const choices = await alerts.choices();
  const conditions = await alerts.conditions(await history.numbers());
  const token = call.formToken();
  const row = (kind: AlertKind) => {
    const { title, unit, threshold } = alertTable[kind];
    const since = conditions.find((one) => one.kind === kind)?.since;
    const isOn = entered?.has(kind) ?? choices[kind].isOn;
    const name = thresholdName(kind);
    const value = entered?.get(name) ?? String(choices[kind].threshold);
    const label = `${title}: ${unit}`;
    return [
      title,
      <span key="on" class="box">
        <input type="checkbox" name={kind} checked={isOn} aria-label={`Send: ${title}`} />
      </span>,
      threshold === null ? (
        '–'
      ) : (
        <span key="from" class="whole">
          <input name={name} value={value} inputMode="numeric" size={7} aria-label={label} /> {unit}
        </span>
      ),
      since === undefined ? (
        <span key="state" class="whole">
          all right
        </span>
      ) : (
        <span key="state" class="badge bad">
          since <Timestamp time={since} />
        </span>
      ),
    ];
  };
  return {
    title: 'Alerts',
    main: (
      <>
        <PageHead title="Alerts">
          A message when one of these begins, and one when it is over. What is off is shown on the
          page Now all the same.
        </PageHead>
        <Message tone="good" text={good} />
        <Message tone="bad" text={bad} />
        <div class="card">
          <ChangeForm action={PATH} token={token} button="Save alerts">
            <DataTable
              caption="Alerts, the worst first"
              isCaptionHidden
              columns={['Alert', 'Send', 'From', 'State'].map((head) => ({ head }))}
              rows={alertKinds.map(row)}
            />
          </ChangeForm>
        </div>
        <div class="card">
          <p>
            They go to operators by mail if <code>VERBATIM_SMTP_URL</code> is set, and to{' '}
            <code>VERBATIM_ALERT_WEBHOOK_URL</code>.
          </p>
          <ChangeForm action={`${PATH}/test`} token={token} button="Send a test" tone="plain" />
        </div>
      </>
    ),
  };
}

/** Reads what is chosen. Throws `invalid_field`. */
function readChoices(call: OperatorCall) {
  return alertKinds.map((kind) => {
    const { title, threshold: hasOne } = alertTable[kind];
    const text = hasOne === null ? '0' : typed(call, thresholdName(kind));
    const isOn = call.form.has(kind);
    if (hasOne === null || /^[1-9]\d{0,5}$/.test(text))
      return { kind, isOn, threshold: Number(text) };
    const message = `${title}: enter a whole number from 1 to 999,999`;
    throw new VerbatimError('invalid_field', message);
  });
}

export async function alertsForm(deps: OperatorDeps, call: OperatorCall): Promise<Reply> {
  try {
    const settings = readChoices(call);
    await changeOnce(deps, call, (store) => store.setAlerts({ settings }));
    return redirectTo(`${PATH}?done=saved`);
  } catch (error) {
    const wrong = operatorErrorOf(error);
    const view = await alertsView(deps, call, { bad: wrong.message, entered: call.form });
    return withError(view, wrong);
  }
}

export async function testAlertForm(deps: OperatorDeps, call: OperatorCall): Promise<View> {
  const bad = (await deps.alerts.sendTest()).join('; ');
  const good = 'The test was sent on every channel that is set up';
  return await alertsView(deps, call, bad === '' ? { good } : { bad });
}
