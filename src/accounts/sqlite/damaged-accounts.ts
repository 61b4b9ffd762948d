/** Which damage of accounts fails searches, and which fails pages only. */

import type { DamageRegister } from '../../database/damage/damage-register.ts';
import { noticingAll } from '../../database/damage/notice-damage.ts';
import {
  ACCOUNTS,
  KEYS_AND_CREDIT,
  LEDGER,
  type PartInUse,
  STORED_ANSWERS,
} from '../../database/damage/parts.ts';
import type { AccountStore } from '../ports/account-store.ts';
import type { NodeStore } from '../ports/node-store.ts';
import type { PaidCallStore } from '../ports/paid-call-store.ts';
import type { UpdateStore } from '../sql/index-updates.ts';
import type { SampleStore } from '../sql/server-samples.ts';

/** Other methods are for pages and payments. */
const parts: Readonly<Partial<Record<string, PartInUse>>> = {
  admit: KEYS_AND_CREDIT,
  readBalance: KEYS_AND_CREDIT,
  readKeyAccount: KEYS_AND_CREDIT,
  findAnswer: STORED_ANSWERS,
  hold: LEDGER,
  settle: LEDGER,
  release: LEDGER,
  storeAnswer: LEDGER,
} satisfies Partial<Record<keyof AccountStore, PartInUse>>;

/** Returns accounts that do the same and report damage. */
export function noticeInAccounts<
  Accounts extends PaidCallStore &
    Pick<NodeStore, 'joinAsNode'> & { samples: SampleStore; updates: UpdateStore },
>(accounts: Accounts, register: Pick<DamageRegister, 'report'>): Accounts {
  const onPages = (): PartInUse => ACCOUNTS;
  return {
    ...noticingAll(register, (name) => parts[name] ?? ACCOUNTS, accounts),
    // Damage that it meets ends the start.
    joinAsNode: accounts.joinAsNode,
    samples: noticingAll(register, onPages, accounts.samples),
    updates: noticingAll(register, onPages, accounts.updates),
  };
}
