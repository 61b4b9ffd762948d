/** GET and POST /operator/alerts: what operators are alerted of, from when on; POST …/test sends a test. */
import type { AlertState } from '../../../accounts/sql/alert-rows.ts';
import { VerbatimError } from '../../../errors.ts';
import {
  type AlertChoice,
  type AlertKind,
  alertKinds,
  alertTable,
} from '../../../metrics/alerts/alert-kinds.ts';
import type { Delivery } from '../../../metrics/alerts/deliver-alert.ts';
import { Field } from '../../components/field.tsx';
import { formatCount } from '../../components/format-values.ts';
import { Message, Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { typed } from '../../page/forms.ts';
import type { View } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import { ChangeForm } from '../components/change-form.tsx';
import { changeHandler } from '../page/change-handler.ts';
import { changeOnce } from '../page/change-once.ts';
import type { OperatorCall } from '../page/operator-call.ts';
import type { OperatorDeps } from '../page/operator-deps.ts';

const PATH = '/operator/alerts';
const FAILED_MAX = 1_000_000;

const thresholdName = (kind: AlertKind): string => `${kind}_threshold`;
const COUNT_NAME = 'searches_count';

export async function alertsPage(
  deps: OperatorDeps,
  call: OperatorCall,
  error?: string,
): Promise<View> {
  return await alertsView(deps, call, { error });
}

interface Said {
  error?: string | undefined;
  test?: Delivery;
}

async function alertsView(
  deps: OperatorDeps,
  call: OperatorCall,
  { error, test }: Said,
): Promise<View> {
  const { choices, states, recipients, hasChannel } = await deps.alerts.read();
  const isSaved = call.query.get('done') === 'saved';
  const token = call.formToken();
  return {
    title: 'Alerts',
    main: (
      <>
        <PageHead title="Alerts">
          A message when one of these begins, and one when it is over. What is off is shown on the
          page Now all the same.
        </PageHead>
        {isSaved ? (
          <Notice tone="good">
            <p>The alerts were saved.</p>
          </Notice>
        ) : null}
        <Message tone="bad" text={error} />
        {test === undefined ? null : <Tested delivery={test} />}
        <section class="card" aria-labelledby="channels">
          <h2 id="channels">Who gets them</h2>
          <Channels
            recipients={recipients}
            webhook={deps.settings.alertWebhookUrl}
            hasChannel={hasChannel}
          />
          {hasChannel ? (
            <ChangeForm action={`${PATH}/test`} token={token} button="Send a test" tone="plain" />
          ) : null}
        </section>
        <ChangeForm action={PATH} token={token} button="Save alerts">
          <div class="split">
            {alertKinds.map((kind) => (
              <KindCard
                key={kind}
                kind={kind}
                choice={choices[kind]}
                state={states.get(kind)}
                entered={error === undefined ? undefined : call.form}
              />
            ))}
          </div>
        </ChangeForm>
      </>
    ),
  };
}

function Tested({ delivery: { mailed, hasReachedWebhook, failures } }: { delivery: Delivery }) {
  const reached = [...mailed, ...(hasReachedWebhook ? ['the webhook'] : [])];
  return (
    <Notice tone={failures.length > 0 || reached.length === 0 ? 'bad' : 'good'}>
      <p>
        {reached.length === 0
          ? 'The test reached nobody.'
          : `The test reached ${reached.join(', ')}.`}{' '}
        {failures.length === 0 ? null : `Failed: ${failures.join('; ')}.`}
      </p>
    </Notice>
  );
}

interface ChannelsProps {
  recipients: readonly string[];
  webhook: string;
  hasChannel: boolean;
}

function Channels({ recipients, webhook, hasChannel }: ChannelsProps) {
  if (!hasChannel) {
    return (
      <p>
        Nobody: set <code>VERBATIM_SMTP_URL</code> for mail, or{' '}
        <code>VERBATIM_ALERT_WEBHOOK_URL</code>.
      </p>
    );
  }
  return (
    <ul>
      <li>By mail: {recipients.length === 0 ? 'nobody' : recipients.join(', ')}</li>
      <li>By webhook: {webhook === '' ? 'none' : new URL(webhook).host}</li>
    </ul>
  );
}

interface KindProps {
  kind: AlertKind;
  choice: AlertChoice;
  state: AlertState | undefined;
  /** The form with a mistake, which is shown again. */
  entered: URLSearchParams | undefined;
}

function KindCard({ kind, choice, state, entered }: KindProps) {
  const { title, thresholdLabel, advice } = alertTable[kind];
  const isOn = entered === undefined ? choice.isOn : entered.has(kind);
  const value = (name: string, stored: number): string => entered?.get(name) ?? String(stored);
  const number = { inputMode: 'numeric', autoComplete: 'off' } as const;
  return (
    <section class="card" aria-labelledby={kind}>
      <h2 id={kind}>{title}</h2>
      <State state={state} />
      <p class="soft">{advice}</p>
      <label class="box">
        <input type="checkbox" name={kind} value="on" checked={isOn} />
        <span>
          Send messages<span class="hidden"> about: {title}</span>
        </span>
      </label>
      {thresholdLabel === null ? null : (
        <Field
          label={thresholdLabel}
          name={thresholdName(kind)}
          value={value(thresholdName(kind), choice.threshold)}
          input={number}
        />
      )}
      {kind === 'searches' ? (
        <Field
          label="Calls that must fail in 5 minutes"
          name={COUNT_NAME}
          value={value(COUNT_NAME, choice.countMin)}
          input={number}
        />
      ) : null}
    </section>
  );
}

function State({ state }: { state: AlertState | undefined }) {
  const { raisedAt = null, toldAt = null, attempts = 0 } = state ?? {};
  return (
    <p>
      {raisedAt === null ? (
        <span class="badge good">all right</span>
      ) : (
        <>
          <span class="badge bad">raised</span> since <Timestamp time={raisedAt} />
        </>
      )}
      {toldAt === null ? null : (
        <>
          , last message delivered <Timestamp time={toldAt} />
        </>
      )}
      {attempts === 0 ? null : `, ${formatCount(attempts)} attempts to send have failed`}
    </p>
  );
}

/** Reads what is chosen. Throws `invalid_field`. */
function readChoices(call: OperatorCall) {
  return alertKinds.map((kind) => {
    const { title, thresholdLabel, thresholdMax } = alertTable[kind];
    const isOn = call.form.has(kind);
    const read = (name: string, max: number): number => {
      const text = typed(call, name);
      const number = /^\d{1,7}$/.test(text) ? Number(text) : 0;
      if (number >= 1 && number <= max) return number;
      const message = `${title}: enter a whole number from 1 to ${formatCount(max)}`;
      throw new VerbatimError('invalid_field', message);
    };
    const threshold = thresholdLabel === null ? 0 : read(thresholdName(kind), thresholdMax);
    const countMin = kind === 'searches' ? read(COUNT_NAME, FAILED_MAX) : 0;
    return { kind, isOn, threshold, countMin };
  });
}

export const alertsForm = changeHandler(alertsPage, async (deps, call) => {
  const settings = readChoices(call);
  await changeOnce(deps, call, (store) => store.setAlerts({ settings }));
  return redirectTo(`${PATH}?done=saved`);
});

export async function testAlertForm(deps: OperatorDeps, call: OperatorCall): Promise<View> {
  return await alertsView(deps, call, { test: await deps.alerts.sendTest() });
}
