export { beginBilling } from './beginning.ts';
export { runBillingSchedule } from './clock.ts';
export { owesWhatWasDue } from './invoices.ts';
export { bringRenewal, type PastRenewal } from './issuing.ts';
export { billingModule } from './module.ts';
