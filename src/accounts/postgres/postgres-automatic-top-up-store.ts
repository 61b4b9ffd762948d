/** Automatic top-ups on PostgreSQL. */

import type { Database } from '../../database/postgres/postgres-database.ts';
import type { AutomaticTopUpStore } from '../ports/automatic-top-up-store.ts';
import * as topUps from './postgres-automatic-top-ups.ts';
import { findAutomaticTopUp } from './postgres-top-up-agreements.ts';

export function createAutomaticTopUps(database: Database): AutomaticTopUpStore {
  return {
    findAutomaticTopUp: (given) => findAutomaticTopUp(database, given),
    listDueTopUps: (given) => topUps.listDueTopUps(database, given),
    startTopUp: (given) => topUps.startTopUp(database, given),
    saveTopUpCard: (given) => topUps.saveTopUpCard(database, given),
    changeTopUp: (given) => topUps.changeTopUp(database, given),
    turnOffTopUp: (given) => topUps.turnOffTopUp(database, given),
    pauseTopUp: (given) => database.transaction((queries) => topUps.pauseTopUp(queries, given)),
    placeTopUpOrder: (given) => topUps.placeTopUpOrder(database, given),
    claimTopUpOrders: (given) => topUps.claimTopUpOrders(database, given),
    nameTopUpPayment: (given) => topUps.nameTopUpPayment(database, given),
    endTopUpOrder: (given) => topUps.endTopUpOrder(database, given),
    claimCardRemovals: (given) => topUps.claimCardRemovals(database, given),
    endCardRemoval: (given) => topUps.endCardRemoval(database, given),
  };
}
