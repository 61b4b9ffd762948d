/** Automatic top-ups on SQLite: changes in the ledger's thread, look-ups by an index on this one. */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { WriteAccounts } from '../ledger-thread/ledger-writer.ts';
import type { AutomaticTopUpStore } from '../ports/automatic-top-up-store.ts';
import { listDueTopUps } from '../sql/automatic-top-up-rows.ts';
import { findAutomaticTopUp } from '../sql/top-up-agreements.ts';

export function createAutomaticTopUps(db: Connection, write: WriteAccounts): AutomaticTopUpStore {
  return {
    findAutomaticTopUp: async (input) => findAutomaticTopUp(db, input),
    listDueTopUps: async (input) => listDueTopUps(db, input),
    startTopUp: (input) => write('startTopUp', input),
    saveTopUpCard: (input) => write('saveTopUpCard', input),
    changeTopUp: (input) => write('changeTopUp', input),
    turnOffTopUp: (input) => write('turnOffTopUp', input),
    pauseTopUp: (input) => write('pauseTopUp', input),
    placeTopUpOrder: (input) => write('placeTopUpOrder', input),
    claimTopUpOrders: (input) => write('claimTopUpOrders', input),
    nameTopUpPayment: (input) => write('nameTopUpPayment', input),
    endTopUpOrder: (input) => write('endTopUpOrder', input),
    claimCardRemovals: (input) => write('claimCardRemovals', input),
    endCardRemoval: (input) => write('endCardRemoval', input),
  };
}
