/**
 * What a server does with accounts, on either database, by how it runs. The names are those of the
 * methods of `AccountStore`; each function says what it does and throws. Inputs and results are cloned
 * between threads. Not here are the calls that every search makes, which each database answers in its own
 * way, and what operators do with customers.
 */

import type { Bound } from '../../database/sql/bind.ts';
import * as alerts from './alert-rows.ts';
import * as questions from './answer-outcomes.ts';
import * as topUps from './automatic-top-up-rows.ts';
import * as notices from './billing-notice-rows.ts';
import * as buyers from './buyers.ts';
import * as clients from './client-grants.ts';
import * as reports from './customer-reports.ts';
import * as customers from './customers.ts';
import * as deletion from './delete-customer.ts';
import * as ledgerPages from './ledger-pages.ts';
import * as members from './member-rows.ts';
import * as operators from './operator-sign-in-rows.ts';
import * as keys from './own-keys.ts';
import * as passwords from './passwords.ts';
import * as paymentEvents from './payment-events.ts';
import * as payments from './payments.ts';
import * as requestPages from './request-pages.ts';
import * as requests from './request-rows.ts';
import * as usage from './search-usage.ts';
import * as secondFactors from './second-factor-rows.ts';
import * as sessions from './sessions.ts';
import * as links from './sign-in-links.ts';
import * as statements from './statement-sums.ts';
import * as agreements from './top-up-agreements.ts';
import * as unconfirmed from './unconfirmed-customers.ts';

/** What reads by itself: no two of its statements need to see the same moment. */
export const lookUps = {
  findLink: links.findLink,
  findLogin: passwords.findLogin,
  loginOf: passwords.loginOf,
  findSession: sessions.findSession,
  listSessions: sessions.listSessions,
  findSecondFactor: secondFactors.findSecondFactor,
  hasOperators: operators.hasOperators,
  listAlertSettings: alerts.listAlertSettings,
  listAlertStates: alerts.listAlertStates,
  countReviews: alerts.countReviews,
  listOperatorAddresses: operators.listOperatorAddresses,
  findOperatorLink: operators.findOperatorLink,
  findOperatorLogin: operators.findOperatorLogin,
  operatorLoginOf: operators.operatorLoginOf,
  findOperatorSession: operators.findOperatorSession,
  listOperatorSessions: operators.listOperatorSessions,
  listMembers: members.listMembers,
  readBalance: customers.readBalance,
  readKeyAccount: usage.readKeyAccount,
  readDeletionFacts: deletion.readDeletionFacts,
  listOwnKeys: keys.listOwnKeys,
  assertRoomForKey: keys.assertRoomForKey,
  findKeyOfSecret: keys.findKeyOfSecret,
  readRequestPage: requestPages.readRequestPage,
  countRequests: requestPages.countRequests,
  countRequestsOfDay: requestPages.countRequestsOfDay,
  readLedgerPage: ledgerPages.readLedgerPage,
  listOwnQuestions: questions.listOwnQuestions,
  findOwnPayment: payments.findOwnPayment,
  listOpenCheckouts: payments.listOpenCheckouts,
  readMonthSums: statements.readMonthSums,
  findBuyer: buyers.findBuyer,
  listDueNotices: notices.listDueNotices,
  findAutomaticTopUp: agreements.findAutomaticTopUp,
  listDueTopUps: topUps.listDueTopUps,
  isKnownCode: clients.isKnownCode,
  keyOfRefreshToken: clients.keyOfRefreshToken,
  isTokenOfGrant: clients.isTokenOfGrant,
};

/** What reads one moment with several statements. */
export const snapshots = {
  readOverview: reports.readOverview,
  readRequests: reports.readRequests,
  findRequest: requestPages.findRequest,
  readUsage: reports.readUsage,
  readBilling: reports.readBilling,
  readStatement: statements.readStatement,
};

/** What changes something with several statements, all or nothing. */
export const changes = {
  registerCustomer: unconfirmed.registerCustomer,
  deleteUnconfirmed: unconfirmed.deleteUnconfirmed,
  startSession: passwords.startSession,
  setPasswordByLink: passwords.setPasswordByLink,
  replacePassword: passwords.replacePassword,
  endSessions: sessions.endSessions,
  enableSecondFactor: secondFactors.enableSecondFactor,
  renewRecoveryCodes: secondFactors.renewRecoveryCodes,
  disableSecondFactor: secondFactors.disableSecondFactor,
  enrollOperator: operators.enrollOperator,
  startOperatorSession: operators.startOperatorSession,
  replaceOperatorPassword: operators.replaceOperatorPassword,
  replaceOperatorFactor: operators.replaceOperatorFactor,
  renewOperatorCodes: operators.renewOperatorCodes,
  endOperatorSessions: operators.endOperatorSessions,
  inviteMember: members.inviteMember,
  renewInvitation: members.renewInvitation,
  setMemberRole: members.setMemberRole,
  removeMember: members.removeMember,
  deleteCustomer: deletion.deleteCustomer,
  createOwnKey: keys.createOwnKey,
  revokeOwnKey: keys.revokeOwnKey,
  rotateOwnSecret: keys.rotateOwnSecret,
  setLowBalance: customers.setLowBalance,
  claimNotice: notices.claimNotice,
  startTopUp: topUps.startTopUp,
  saveTopUpCard: topUps.saveTopUpCard,
  changeTopUp: topUps.changeTopUp,
  turnOffTopUp: topUps.turnOffTopUp,
  pauseTopUp: topUps.pauseTopUp,
  placeTopUpOrder: topUps.placeTopUpOrder,
  claimTopUpOrders: topUps.claimTopUpOrders,
  endTopUpOrder: topUps.endTopUpOrder,
  addCode: clients.addCode,
  redeemCode: clients.redeemCode,
  refreshGrant: clients.refreshGrant,
  revokeToken: clients.revokeToken,
  placeOrder: payments.placeOrder,
  recordPaymentEvent: paymentEvents.recordPaymentEvent,
  recordRequests: requests.recordRequests,
};

/** What changes something with one statement, which needs no transaction. */
export const singleChanges = {
  createLink: links.createLink,
  saveAlertState: alerts.saveAlertState,
  renewHash: passwords.renewHash,
  touchSession: sessions.touchSession,
  endSession: sessions.endSession,
  endNamedSession: sessions.endNamedSession,
  useSecondFactor: secondFactors.useSecondFactor,
  touchOperatorSession: operators.touchOperatorSession,
  endOperatorSession: operators.endOperatorSession,
  endNamedOperatorSession: operators.endNamedOperatorSession,
  deleteAnswersOf: deletion.deleteAnswersOf,
  editOwnKey: keys.editOwnKey,
  setCustomerLanes: customers.setCustomerLanes,
  saveProfile: customers.saveProfile,
  returnNotice: notices.returnNotice,
  saveBuyer: buyers.saveBuyer,
  nameTopUpPayment: topUps.nameTopUpPayment,
  claimCardRemovals: topUps.claimCardRemovals,
  endCardRemoval: topUps.endCardRemoval,
  openCheckout: payments.openCheckout,
  cancelOrders: payments.cancelOrders,
  deleteOldQuestions: questions.deleteOldQuestions,
  deleteOldRequests: requests.deleteOldRequests,
  deleteRequestsOf: requests.deleteRequestsOf,
  setAskedDays: requests.setAskedDays,
  forgetAsked: requests.forgetAsked,
};

export type AccountOperations = Bound<typeof lookUps> &
  Bound<typeof snapshots> &
  Bound<typeof changes> &
  Bound<typeof singleChanges>;
