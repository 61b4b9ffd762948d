/** Sends the mail about billing that the accounts have queued. */
import { messageOf, VerbatimError } from '../errors.ts';
import { formatNumber } from '../text/format-number.ts';
import { every } from '../workers/every.ts';
import type { AccountDeps } from './account-deps.ts';
import { formatCredits } from './amounts/credits.ts';
import { limitSentence } from './limit-sentence.ts';
import { type Mail, MailFailure, type SendMail } from './mail.ts';
import { pauseSentence } from './pause-sentence.ts';
import { type ReceiptFacts, receiptOf } from './payments/receipt.ts';
import { receiptMail } from './receipt-mail.ts';
import type { BillingNotice, ClaimedNotice } from './sql/billing-notice-rows.ts';

type NoticeDeps = Pick<AccountDeps, 'settings' | 'store' | 'log' | 'now'>;

/**
 * Sends what waits, as long as the service runs. Returns the function that stops it, and that resolves
 * when the mail under way was handed over. Without a mail server nothing is sent.
 */
export function startBillingNotices(
  { sendMail, ...deps }: NoticeDeps & Pick<AccountDeps, 'sendMail'>,
  address: () => string,
): () => Promise<void> {
  if (sendMail === undefined) return async () => {};
  let isStopped = false;
  let sending: Promise<void> = Promise.resolve();
  const stop = every(deps.settings.noticeCheckMs, () => {
    sending = sendDue(deps, { sendMail, address, isStopped: () => isStopped }).catch((error) => {
      // The log already has the cause. The notices wait.
      if (error instanceof VerbatimError && error.code === 'degraded') return;
      deps.log.error('notices_not_sent', { reason: messageOf(error) });
    });
    return sending;
  });
  return async () => {
    isStopped = true;
    stop();
    await sending;
  };
}

interface Sending {
  sendMail: SendMail;
  /** Returns the address of this service. */
  address: () => string;
  isStopped: () => boolean;
}

async function sendDue(deps: NoticeDeps, sending: Sending): Promise<void> {
  const { store, settings, now } = deps;
  const due = await store.listDueNotices({ now: now(), limit: settings.noticesPerCheckMax });
  for (const notice of due) {
    if (sending.isStopped()) return;
    // Just before it is sent: of a crash in between, the customer reads nothing, but never twice.
    const claimed = await store.claimNotice({ ...notice, now: now() });
    if (claimed !== undefined) await sendNotice(deps, sending, claimed);
  }
}

/** Sends a notice to everybody who pays. It waits for another attempt if nobody can have received it. */
async function sendNotice(
  { store, settings, log, now }: NoticeDeps,
  { sendMail, address }: Sending,
  notice: ClaimedNotice,
): Promise<void> {
  const { customerId: customer, kind, paymentId } = notice;
  let failures = 0;
  for (const to of notice.recipients) {
    try {
      await sendMail({
        to,
        ...textOf(notice, { baseUrl: address(), settings, now: now() }),
      });
    } catch (error) {
      log.error('notice_failed', { customer, kind, reason: messageOf(error) });
      if (error instanceof MailFailure && !error.mayHaveArrived) failures++;
    }
  }
  if (failures === 0 || failures < notice.recipients.length) return;
  const { noticeRetryMs, noticeAttemptsMax: attemptsMax } = settings;
  const name: BillingNotice = { customerId: customer, kind, paymentId };
  await store.returnNotice({ ...name, retryAt: now() + noticeRetryMs, attemptsMax });
}

type Text = Pick<Mail, 'subject' | 'text' | 'html'>;

interface Circumstances extends Pick<ReceiptFacts, 'settings' | 'baseUrl'> {
  now: number;
}

function textOf(notice: ClaimedNotice, { baseUrl, settings, now }: Circumstances): Text {
  const page = `${baseUrl}/dashboard/billing`;
  switch (notice.kind) {
    case 'low_balance':
      return lowBalanceText(notice, page);
    case 'top_up_paused':
      return pausedText(notice, page);
    case 'top_up_limit':
      return limitText(notice, { page, now });
    case 'receipt':
      return receiptText(notice, { baseUrl, settings });
  }
}

function receiptText(
  { email, receipt }: ClaimedNotice,
  { baseUrl, settings }: Pick<Circumstances, 'settings' | 'baseUrl'>,
): Text {
  const found = receipt && receiptOf({ ...receipt, email, settings, baseUrl });
  if (found === undefined) throw new Error('a receipt without its payment');
  const { orderId } = (receipt as NonNullable<typeof receipt>).payment;
  return receiptMail(found, `${baseUrl}/dashboard/billing/${orderId}/receipt`);
}

/** What is left, or what is owed. */
function rest({ balance }: ClaimedNotice): string {
  if (balance < 0) return `you owe ${formatCredits(-balance)}`;
  return balance === 1 ? '1 is left' : `${formatNumber(balance)} are left`;
}

function lowBalanceText(notice: ClaimedNotice, page: string): Text {
  return {
    subject: 'Your credit at Verbatim is running low',
    text: [
      `Your balance is below ${formatCredits(notice.lowBalance ?? 0)}: ${rest(notice)}. A search costs one. Without credit, searches are refused.`,
      `Buy credits, or change this warning: ${page}`,
      '',
    ].join('\n\n'),
  };
}

function limitText(notice: ClaimedNotice, { page, now }: { page: string; now: number }): Text {
  const { topUp } = notice;
  const threshold = formatCredits(topUp?.threshold ?? 0);
  return {
    subject: 'Automatic top-up at Verbatim has reached your monthly limit',
    text: [
      topUp === undefined ? '' : limitSentence(topUp, now),
      `Your balance is below ${threshold}: ${rest(notice)}. Without credit, searches are refused.`,
      `Buy credits, or raise the limit: ${page}`,
      '',
    ].join('\n\n'),
  };
}

function pausedText({ topUp }: ClaimedNotice, page: string): Text {
  return {
    subject: 'Automatic top-up at Verbatim is paused',
    text: [
      `${pauseSentence(topUp?.pausedFor ?? 'refused')} Your card is not charged until you turn automatic top-up on again. Without credit, searches are refused.`,
      `See what happened: ${page}`,
      '',
    ].join('\n\n'),
  };
}
