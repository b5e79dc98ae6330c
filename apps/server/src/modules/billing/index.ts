export { beginBilling } from './beginning.ts';
export { attendToBilling } from './clock.ts';
export { invoiceFile } from './invoice-acts.ts';
export { billingRoutes } from './routes.ts';
