/** Automatic top-ups on PostgreSQL. */
import * as topUps from '../../store/postgres/automatic-top-ups.ts';
import type { Database } from '../../store/postgres/database.ts';
import { findAutomaticTopUp } from '../../store/postgres/top-up-agreements.ts';
import type { AutomaticTopUpStore } from '../automatic-top-up-store.ts';

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
