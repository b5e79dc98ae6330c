import { bankStatements } from '@portal/contract/billing/bank-statements';
import { books } from '@portal/contract/billing/books';
import { billing } from '@portal/contract/billing/billing';
import { checkouts } from '@portal/contract/billing/checkouts';
import { corrections } from '@portal/contract/billing/corrections';
import { feeEstimates } from '@portal/contract/billing/fee-estimates';
import { feeSchedules } from '@portal/contract/billing/fee-schedules';
import { invoiceDocuments } from '@portal/contract/billing/invoice-documents';
import { jointBilling } from '@portal/contract/billing/joint-billing';
import { memberships } from '@portal/contract/billing/memberships';
import { reactivations } from '@portal/contract/billing/reactivations';
import { renewals } from '@portal/contract/billing/renewals';
import { reversals } from '@portal/contract/billing/reversals';
import { afterReading, implement, type Implementation } from '../../platform/http/endpoints.ts';
import {
  bankLineCases,
  importBankStatement,
  listBankLines,
  readBankStatement,
  recordBankLine,
  reopenBankLine,
  setAsideBankLine,
  undoBankLine,
} from './bank/bank-lines.ts';
import { closeMonths, exportJournal, getBookMonth, getBooks } from './books/books.ts';
import { listBookDocuments } from './books/book-documents.ts';
import { getBookReports } from './books/book-reports.ts';
import { exportPostings } from './books/postings.ts';
import { sendRemittance } from './bank/remittances.ts';
import { getCountedHoldings } from './fees/counted-holdings.ts';
import { announceFees, discardFees, exportFeeEffect, getFeeEffect, getFees, prepareFees, withdrawFees } from './fees/fee-desk.ts';
import { downloadFeeEstimate, getFeeEstimate } from './fee-estimates.ts';
import { invoiceCases, issueCreditNote, recordRefund, writeOffInvoice } from './issuing/corrections.ts';
import { cancelInvoice, extendInvoice, openInvoice, openStaffEInvoice, openStaffInvoice } from './issuing/invoice-acts.ts';
import { downloadCreditNote, downloadReceipt, downloadStaffCreditNote, downloadStatement } from './invoices/invoice-documents.ts';
import { getBilling, updateBillingDetails } from './invoices/invoices.ts';
import { listColleagues, sendDocument } from './invoices/sent-documents.ts';
import { getStaffBilling } from './invoices/staff-billing.ts';
import { exportStatement } from './invoices/statement.ts';
import { downloadEInvoice } from './invoices/e-invoices.ts';
import { downloadInvoices } from './invoices/zipped-invoices.ts';
import { releaseHold } from './renewals/holds.ts';
import { addHolidays, removeHoliday } from './renewals/holiday-acts.ts';
import { getPlan } from './renewals/plan.ts';
import { listKeptOpen } from './bank/kept-open.ts';
import { endReactivation, reactivateAccount, startReactivation } from './renewals/reactivation.ts';
import { billAgain } from './renewals/renewals-again.ts';
import { askForInvoice, askForQuote, downloadQuote, getRenewal } from './renewals/renewals.ts';
import { getCheckout, startCheckout } from './payments/checkouts.ts';
import { exportJointStatement, getJointBilling } from './payments/joint-billing.ts';
import { getJointCheckout, startJointCheckout } from './payments/joint-checkouts.ts';
import { combineInvoices, discardJointPayment } from './payments/joint-payments.ts';
import { listProviderReports, resolveProviderReport } from './payments/provider-reports.ts';
import { paymentCases, reversePayment } from './payments/reversals.ts';
import { recordPayment } from './payments/payments.ts';

export const billingRoutes: readonly Implementation[] = [
  implement(
    billing,
    {
      getBilling,
      updateBillingDetails,
      exportStatement,
      downloadStatement,
      openInvoice,
      getStaffBilling,
      openStaffInvoice,
      openStaffEInvoice,
      recordPayment,
      extendInvoice,
      cancelInvoice,
    },
    invoiceCases,
  ),
  implement(
    bankStatements,
    {
      listBankLines,
      listKeptOpen,
      importBankStatement: afterReading(readBankStatement, importBankStatement),
      recordBankLine,
      setAsideBankLine,
      undoBankLine,
      reopenBankLine,
      sendRemittance,
    },
    bankLineCases,
  ),
  implement(books, { getBooks, getBookMonth, getBookReports, listBookDocuments, exportPostings, exportJournal, closeMonths }),
  implement(checkouts, { startCheckout, getCheckout }),
  implement(
    corrections,
    {
      issueCreditNote,
      writeOffInvoice,
      recordRefund,
      downloadCreditNote,
      downloadReceipt,
      downloadStaffCreditNote,
    },
    invoiceCases,
  ),
  implement(jointBilling, {
    getJointBilling,
    exportJointStatement,
    combineInvoices,
    discardJointPayment,
    startJointCheckout,
    getJointCheckout,
  }),
  implement(invoiceDocuments, { downloadInvoices, downloadEInvoice, listColleagues, sendDocument }),
  implement(reactivations, { reactivateAccount, startReactivation, endReactivation }),
  implement(reversals, { reversePayment, listProviderReports, resolveProviderReport }, paymentCases),
  implement(memberships, { getPlan, addHolidays, removeHoliday, releaseHold }),
  implement(renewals, { billAgain, getRenewal, askForQuote, downloadQuote, askForInvoice }),
  implement(feeSchedules, { getFees, prepareFees, discardFees, getFeeEffect, exportFeeEffect, announceFees, withdrawFees }),
  implement(feeEstimates, { getFeeEstimate, downloadFeeEstimate, getCountedHoldings }),
];
