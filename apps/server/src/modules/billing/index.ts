export { beginBilling } from './membership/beginning.ts';
export { announce } from './fees/announcing.ts';
export { announcedFees } from './fees/fee-desk.ts';
export { effectOf } from './fees/fee-effect.ts';
export { estimateFee, freeAsnsOn, transferFeeOn } from './fees/fee-estimate.ts';
export { runBillingSchedule } from './renewals/clock.ts';
export { hasUnpaidInvoiceDueBefore } from './invoices/invoices.ts';
export { cancelTransferFee, chargeTransferFee, feeInvoiceOf, issueTransferFees, paidFees } from './issuing/transfer-fees.ts';
export { billingModule } from './module.ts';
