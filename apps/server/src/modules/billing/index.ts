export { beginBilling } from './beginning.ts';
export { estimateFee, transferFee } from './fee-estimate.ts';
export { runBillingSchedule } from './clock.ts';
export { hasUnpaidInvoiceDueBefore } from './invoices.ts';
export { recordPastRenewal, type PastRenewal } from './issuing.ts';
export { billingModule } from './module.ts';
