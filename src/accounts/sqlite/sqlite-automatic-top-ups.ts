/** Automatic top-ups on SQLite: changes in the ledger's thread, look-ups by an index on this one. */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { WriteAccounts } from '../ledger-thread/ledger-writer.ts';
import type { AutomaticTopUpStore } from '../ports/automatic-top-up-store.ts';
import { listDueTopUps } from '../sql/automatic-top-up-rows.ts';
import { findAutomaticTopUp } from '../sql/top-up-agreements.ts';

export function createAutomaticTopUps(db: Connection, write: WriteAccounts): AutomaticTopUpStore {
  return {
    findAutomaticTopUp: async (given) => findAutomaticTopUp(db, given),
    listDueTopUps: async (given) => listDueTopUps(db, given),
    startTopUp: (given) => write('startTopUp', given),
    saveTopUpCard: (given) => write('saveTopUpCard', given),
    changeTopUp: (given) => write('changeTopUp', given),
    turnOffTopUp: (given) => write('turnOffTopUp', given),
    pauseTopUp: (given) => write('pauseTopUp', given),
    placeTopUpOrder: (given) => write('placeTopUpOrder', given),
    claimTopUpOrders: (given) => write('claimTopUpOrders', given),
    nameTopUpPayment: (given) => write('nameTopUpPayment', given),
    endTopUpOrder: (given) => write('endTopUpOrder', given),
    claimCardRemovals: (given) => write('claimCardRemovals', given),
    endCardRemoval: (given) => write('endCardRemoval', given),
  };
}
