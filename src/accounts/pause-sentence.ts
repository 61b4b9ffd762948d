/** Why automatic top-up is paused, in words for its customer. Pure. */
import type { PauseReason } from './sql/pause-reason.ts';

const sentences: Readonly<Record<PauseReason, string>> = {
  declined: 'Your card was declined.',
  authentication_required: 'Your bank wants you to confirm payments with this card yourself.',
  refused: 'The payment with your card was refused.',
  no_answer: 'The payment service did not say whether your card was charged.',
  reversed: 'A payment was refunded or disputed.',
  offer_changed: 'The price of your pack has changed.',
};

/** Returns a sentence about a pause. */
export function pauseSentence(reason: PauseReason): string {
  return sentences[reason];
}
