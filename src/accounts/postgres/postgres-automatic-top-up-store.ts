/** Automatic top-ups on PostgreSQL. */

import type { Database } from '../../database/postgres/postgres-database.ts';
import type { AutomaticTopUpStore } from '../ports/automatic-top-up-store.ts';
import * as topUps from './postgres-automatic-top-ups.ts';
import { findAutomaticTopUp } from './postgres-top-up-agreements.ts';

export function createAutomaticTopUps(database: Database): AutomaticTopUpStore {
  return {
    findAutomaticTopUp: (input) => findAutomaticTopUp(database, input),
    listDueTopUps: (input) => topUps.listDueTopUps(database, input),
    startTopUp: (input) => topUps.startTopUp(database, input),
    saveTopUpCard: (input) => topUps.saveTopUpCard(database, input),
    changeTopUp: (input) => topUps.changeTopUp(database, input),
    turnOffTopUp: (input) => topUps.turnOffTopUp(database, input),
    pauseTopUp: (input) => database.transaction((queries) => topUps.pauseTopUp(queries, input)),
    placeTopUpOrder: (input) => topUps.placeTopUpOrder(database, input),
    claimTopUpOrders: (input) => topUps.claimTopUpOrders(database, input),
    nameTopUpPayment: (input) => topUps.nameTopUpPayment(database, input),
    endTopUpOrder: (input) => topUps.endTopUpOrder(database, input),
    claimCardRemovals: (input) => topUps.claimCardRemovals(database, input),
    endCardRemoval: (input) => topUps.endCardRemoval(database, input),
  };
}
