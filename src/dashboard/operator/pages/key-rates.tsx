/** GET and POST /operator/keys/:prefix: the rate of a key, and its searches in flight. */

import type { ApiKey } from '../../../accounts/sql/api-keys.ts';
import { VerbatimError } from '../../../errors.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import { Field } from '../../components/field.tsx';
import { formatCount } from '../../components/format-values.ts';
import { PageHead } from '../../components/page-head.tsx';
import { type View, withError } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import { ChangeForm } from '../components/change-form.tsx';
import { changeOnce, readsOf } from '../page/change-once.ts';
import type { OperatorCall } from '../page/operator-call.ts';
import type { OperatorDeps } from '../page/operator-deps.ts';

const LIMIT_MAX = 1_000_000;

interface Entered {
  rate: string;
  inFlight: string;
  errors?: { rate?: string; inFlight?: string };
}

export async function keyRatesPage(deps: OperatorDeps, call: OperatorCall): Promise<View> {
  const key = await findKey(deps, call);
  const rate = String(key.requestsPerMinute ?? '');
  return ratesView(deps, call, key, { rate, inFlight: String(key.inFlightMax ?? '') });
}

export async function keyRatesForm(
  deps: OperatorDeps,
  call: OperatorCall,
): Promise<View | HttpResponse> {
  const key = await findKey(deps, call);
  const rate = (call.form.get('rate') ?? '').trim();
  const inFlight = (call.form.get('in_flight') ?? '').trim();
  const limits = { requestsPerMinute: parseLimit(rate), inFlightMax: parseLimit(inFlight) };
  const { requestsPerMinute, inFlightMax } = limits;
  if (requestsPerMinute === undefined || inFlightMax === undefined) {
    const advice = `Enter a whole number from 1 to ${formatCount(LIMIT_MAX)}, or leave it empty.`;
    const errors = {
      ...(requestsPerMinute === undefined ? { rate: advice } : {}),
      ...(inFlightMax === undefined ? { inFlight: advice } : {}),
    };
    const view = ratesView(deps, call, key, { rate, inFlight, errors });
    return withError(view, new VerbatimError('invalid_field'));
  }
  const { prefix, customerId } = key;
  const isFirst = await changeOnce(deps, call, (store) =>
    store.setKeyRates({ prefix, requestsPerMinute, inFlightMax }),
  );
  return redirectTo(`/operator/customers/${customerId}?done=${isFirst ? 'rates' : 'repeated'}`);
}

/** Returns null for an empty text, and undefined for a wrong one. */
function parseLimit(text: string): number | null | undefined {
  if (text === '') return null;
  const limit = /^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined;
  return limit !== undefined && limit <= LIMIT_MAX ? limit : undefined;
}

/** Throws `not_found` unless there is a key with just this prefix. */
export async function findKey(deps: OperatorDeps, call: OperatorCall): Promise<ApiKey> {
  const key = await readsOf(deps, call).findKey({ prefix: call.parameters['prefix'] ?? '' });
  if (key === undefined) throw new VerbatimError('not_found');
  return key;
}

function ratesView(
  { settings }: OperatorDeps,
  call: OperatorCall,
  { prefix, name, customer, customerId }: ApiKey,
  { rate, inFlight, errors }: Entered,
): View {
  return {
    title: 'Rates of a key',
    isNarrow: true,
    main: (
      <>
        <PageHead title="Rates of a key">
          “<bdi>{name}</bdi>” (<code>{prefix}</code>) of{' '}
          <a href={`/operator/customers/${customerId}`}>{customer}</a>. Changes apply from the next
          request.
        </PageHead>
        <div class="card">
          <ChangeForm action={`/operator/keys/${prefix}`} token={call.formToken()} button="Save">
            <Field
              label="Requests a minute"
              name="rate"
              value={rate}
              hint={`Leave empty for the server’s default, ${formatCount(settings.requestsPerMinute)}.`}
              error={errors?.rate}
              input={{ inputMode: 'numeric', autoComplete: 'off' }}
            />
            <Field
              label="Searches in flight"
              name="in_flight"
              value={inFlight}
              hint={`Leave empty for the server’s default, ${formatCount(settings.inFlightPerKeyMax)}.`}
              error={errors?.inFlight}
              input={{ inputMode: 'numeric', autoComplete: 'off' }}
            />
          </ChangeForm>
        </div>
      </>
    ),
  };
}
