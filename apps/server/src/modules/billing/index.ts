export { beginBilling } from './beginning.ts';
export { attendToBilling } from './clock.ts';
export { daysAfter } from './days.ts';
export { invoiceFile } from './invoice-acts.ts';
export { invoiceFiles, owesWhatWasDue } from './invoices.ts';
export { bringRenewal, type PastRenewal } from './issuing.ts';
export { billingRoutes } from './routes.ts';
