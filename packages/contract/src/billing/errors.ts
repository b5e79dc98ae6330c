import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `billing`. */
export const billingErrors = {
  INVOICE_NOT_PAYABLE: { status: 409, message: 'No payment can be recorded for {number}: {why}' },
  PAYMENT_RECORDED: { status: 409, message: 'The transfer {reference} was recorded for {number} already, by {who}' },
  INVOICE_SETTLED: { status: 409, message: '{number} cannot be changed any more: {why}' },
} as const satisfies ErrorRows;
