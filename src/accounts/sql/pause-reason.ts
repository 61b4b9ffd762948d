/** Why automatic top-up is paused: no order is placed until the customer agrees again. */
export type PauseReason =
  | 'declined'
  | 'authentication_required'
  | 'refused'
  | 'no_answer'
  | 'reversed'
  | 'offer_changed';
