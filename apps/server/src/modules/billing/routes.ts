import { bankStatements } from '@portal/contract/billing/bank-statements';
import { billing } from '@portal/contract/billing/billing';
import { checkouts } from '@portal/contract/billing/checkouts';
import { corrections } from '@portal/contract/billing/corrections';
import { feeEstimates } from '@portal/contract/billing/fee-estimates';
import { jointBilling } from '@portal/contract/billing/joint-billing';
import { memberships } from '@portal/contract/billing/memberships';
import { invoiceDocuments } from '@portal/contract/billing/invoice-documents';
import { reactivations } from '@portal/contract/billing/reactivations';
import { renewals } from '@portal/contract/billing/renewals';
import { dayIn } from '@portal/contract/days';
import type { Caller } from '../../platform/http/caller.ts';
import { afterReading, type Implementation, implement } from '../../platform/http/endpoints.ts';
import type { Module } from '../../platform/module.ts';
import { senderOf } from '../../platform/reading-apart.ts';
import type { Profile } from '../../profile.ts';
import type { FileStore } from '../documents/index.ts';
import { updateOrganisation } from '../organisations/index.ts';
import { bankFileApart, importBankFile, listBankLines, recordBankLine, reopenBankLine, setAsideBankLine } from './bank/bank-lines.ts';
import { downloadCreditNote, downloadReceipt, downloadStatement } from './invoices/invoice-documents.ts';
import { getCheckout, startCheckout } from './payments/checkouts.ts';
import { type Correcting, issueCreditNote, recordRefund, writeOffInvoice } from './invoices/corrections.ts';
import { getCountedHoldings } from './fees/counted-holdings.ts';
import { downloadFeeEstimate, getFeeEstimate } from './fees/fee-estimates.ts';
import { addHolidays, removeHoliday } from './membership/holidays.ts';
import { releaseHold } from './membership/holds.ts';
import { cancelInvoice, extendInvoice, getStaffBilling, openInvoice, openStaffInvoice } from './invoices/invoice-acts.ts';
import { getBilling } from './invoices/invoices.ts';
import { downloadInvoices } from './invoices/zipped-invoices.ts';
import type { JointContext } from './payments/joint-accounts.ts';
import { exportJointStatement, getJointBilling } from './payments/joint-billing.ts';
import { getJointCheckout, startJointCheckout } from './payments/joint-checkouts.ts';
import { combineInvoices, discardJointPayment } from './payments/joint-payments.ts';
import { recordPayment } from './payments/payments.ts';
import { getMembershipPlan } from './membership/plan.ts';
import { endReactivation, startReactivation } from './membership/reactivation.ts';
import { sendRemittance } from './bank/remittances.ts';
import { billAgain } from './membership/renewals-again.ts';
import { askForInvoice, askForQuote, downloadQuote, getRenewal } from './membership/renewals.ts';
import { listColleagues, sendDocument } from './invoices/sent-documents.ts';
import { exportStatement } from './invoices/statement.ts';

type Context = {
  store: () => FileStore;
  payOnline: string | null;
  /** Privileged permissions count only in a session with a second factor. */
  privilegesNeedFactor: boolean;
  profile: Profile;
  clock: () => Date;
  modules: readonly Module[];
};

export const billingRoutes = ({ store, profile, clock, modules, payOnline, privilegesNeedFactor }: Context): Implementation[] => {
  const today = (): string => dayIn(profile.timeZone, clock());
  const correcting = (caller: Caller, hasSecondPerson: boolean): Correcting => ({
    caller,
    today: today(),
    alone: profile.paymentsAlone,
    hasSecondPerson,
  });
  const joint = (caller: Caller): JointContext => ({ caller, today: today(), clock, privilegesNeedFactor });
  return [
    implement(billing, {
      getBilling: ({ read, account }) => getBilling(read, account.accountName, { profile, today: today(), modules, payOnline }),
      updateBillingDetails: async ({ change, account, body }) => {
        await updateOrganisation({ change, account, body });
        return getBilling(change, account.accountName, { profile, today: today(), modules, payOnline });
      },
      exportStatement,
      downloadStatement,
      openInvoice,
      getStaffBilling,
      openStaffInvoice,
      recordPayment,
      extendInvoice,
      cancelInvoice,
    }),
    implement(bankStatements, {
      listBankLines,
      importBankStatement: afterReading(
        call => bankFileApart(senderOf(call), { content: call.body.content, currency: profile.currency }, 'content'),
        ({ change, caller, body }, file) => importBankFile(change, file, body.fileName, { caller, today: today() }),
      ),
      recordBankLine,
      setAsideBankLine,
      reopenBankLine,
      sendRemittance,
    }),
    implement(checkouts, {
      startCheckout: ({ change, account, caller, params }) =>
        startCheckout(change, account, params.invoiceNumber, { caller, provider: payOnline }),
      getCheckout,
    }),
    implement(corrections, {
      issueCreditNote,
      writeOffInvoice,
      recordRefund: async ({ change, caller, params, body, hasSecondPerson }) => {
        await recordRefund(change, params.accountName, body, { ...correcting(caller, hasSecondPerson), currency: profile.currency });
        return getStaffBilling({ read: change, params, registry: { profile, today: today(), modules } });
      },
      downloadCreditNote,
      downloadReceipt,
      downloadStaffCreditNote: ({ read, params, registry }) => downloadCreditNote({ read, account: 'any', params, registry }),
    }),
    implement(jointBilling, {
      getJointBilling: ({ read, caller }) => getJointBilling(read, { ...joint(caller), profile, payOnline }),
      exportJointStatement: ({ read, caller, query }) =>
        exportJointStatement(read, query, { ...joint(caller), currency: profile.currency }),
      combineInvoices: ({ change, caller, body }) => combineInvoices(change, body, joint(caller)),
      discardJointPayment,
      startJointCheckout: ({ change, caller, params }) =>
        startJointCheckout(change, params.paymentNumber, { ...joint(caller), provider: payOnline }),
      getJointCheckout,
    }),
    implement(invoiceDocuments, {
      downloadInvoices: ({ read, account, query }) => downloadInvoices(read, store(), account.accountName, query),
      listColleagues,
      sendDocument,
    }),
    implement(reactivations, {
      startReactivation: async ({ change, caller, params, body, hasSecondPerson }) => {
        await startReactivation(change, params.accountName, body, { caller, today: today(), profile, hasSecondPerson });
        return getStaffBilling({ read: change, params, registry: { profile, today: today(), modules } });
      },
      endReactivation: async ({ change, caller, params, body }) => {
        await endReactivation(change, params.accountName, body, caller);
        return getStaffBilling({ read: change, params, registry: { profile, today: today(), modules } });
      },
    }),
    implement(memberships, {
      getPlan: ({ read }) => getMembershipPlan(read, today()),
      addHolidays: async ({ change, caller, body }) => {
        await addHolidays(change, body, { caller, today: today() });
        return getMembershipPlan(change, today());
      },
      removeHoliday: async ({ change, params }) => {
        await removeHoliday(change, params.day, today());
        return getMembershipPlan(change, today());
      },
      releaseHold: async ({ change, caller, params, body }) => {
        await releaseHold(change, params.holdId, body, { caller, today: today() });
        return getMembershipPlan(change, today());
      },
    }),
    implement(renewals, {
      billAgain: async ({ change, caller, params, body }) => {
        await billAgain(change, params.accountName, body, { caller, today: today() });
        return getStaffBilling({ read: change, params, registry: { profile, today: today(), modules } });
      },
      getRenewal,
      askForQuote,
      downloadQuote,
      askForInvoice,
    }),
    implement(feeEstimates, {
      getFeeEstimate,
      downloadFeeEstimate,
      getCountedHoldings,
    }),
  ];
};
