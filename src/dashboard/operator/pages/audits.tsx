/** GET and POST /operator/money/audits: audits of the ledger. */
import type { HttpResponse } from '../../../http/messages.ts';
import { Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import type { View } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import {
  AUDITS_PATH,
  AuditFailed,
  AuditResult,
  AuditRuns,
  AuditTable,
  Differences,
  StartAudit,
} from '../components/audit-section.tsx';
import { Live } from '../components/live.tsx';
import { idempotencyKeyOf, readsOf } from '../page/change-once.ts';
import type { OperatorCall } from '../page/operator-call.ts';
import type { OperatorDeps } from '../page/operator-deps.ts';

/** The audit of an ordinary ledger takes seconds. */
const RENEWED_EVERY_SECONDS = 2;

const notes: Readonly<Record<string, string>> = {
  running: 'An audit is running already; the next one can start after it.',
  repeated: 'This form was submitted before, and started one audit.',
};

export async function auditsPage(deps: OperatorDeps, call: OperatorCall): Promise<View> {
  const { auditsKeptMax } = deps.settings;
  const audits = await readsOf(deps, call).listKeptAudits({ limit: auditsKeptMax });
  const [latest] = audits;
  const running = deps.audits.running();
  const failedAt = deps.audits.failedAt();
  const note = notes[call.query.get('done') ?? ''];
  return {
    title: 'Audits',
    main: (
      <>
        <PageHead title="Audits">
          Checks that balances, holds, usage, and payments match the ledger.
        </PageHead>
        {note === undefined ? null : (
          <Notice tone="plain">
            <p>{note}</p>
          </Notice>
        )}
        {running === undefined ? null : (
          <Live everySeconds={RENEWED_EVERY_SECONDS}>
            <AuditRuns running={running} />
          </Live>
        )}
        {failedAt === undefined ? null : <AuditFailed at={failedAt} />}
        {latest === undefined ? null : <AuditResult audit={latest} />}
        {latest === undefined || latest.differenceCount === 0 ? null : (
          <section class="card" aria-labelledby="differences">
            <h2 id="differences">Differences</h2>
            <Differences audit={latest} />
          </section>
        )}
        {running === undefined ? (
          <section class="card" aria-labelledby="start">
            <h2 id="start">Audit the ledger</h2>
            <StartAudit token={call.formToken()} />
          </section>
        ) : null}
        {audits.length === 0 ? null : (
          <section class="card" aria-label="Earlier audits">
            <AuditTable audits={audits} />
          </section>
        )}
      </>
    ),
  };
}

/** Starts an audit. */
export function auditForm(deps: OperatorDeps, call: OperatorCall): HttpResponse {
  const outcome = deps.audits.start({ actor: call.actor, idempotencyKey: idempotencyKeyOf(call) });
  return redirectTo(outcome === 'started' ? AUDITS_PATH : `${AUDITS_PATH}?done=${outcome}`);
}
