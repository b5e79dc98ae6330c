import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `billing`. */
export const billingErrors = {
  INVOICE_NOT_PAYABLE: { status: 409, message: 'A payment for {number} can’t be recorded: {why}' },
  PAYMENT_ALIKE: {
    status: 409,
    message:
      'A transfer that looks the same, {reference}, was recorded for {number} by {who}. Compare both with the bank statement; if this is another transfer, confirm it and a second person approves',
  },
  PAYMENT_EARLY: {
    status: 409,
    message:
      '{number} was issued on {issued}, after this day. If the money came before, confirm it; otherwise correct the date or the invoice',
  },
  PERIOD_CLOSED: { status: 409, message: '{period} is closed. The first open day is {open}' },
  MONTH_OPEN: { status: 409, message: 'The books can’t be closed until {month}: {why}' },
  PAYMENT_NOT_REVERSIBLE: { status: 409, message: '{receipt} can’t be reversed: {why}' },
  BANK_LINE_RESOLVED: { status: 409, message: 'The transfer can’t be changed: {why}' },
  INVOICE_FILE_LOST: {
    status: 409,
    message: 'The PDF of {number} is lost, and can’t be printed as it was issued. Ask the registry for it; its amounts are on this page',
  },
  CHECKOUT_OFF: { status: 409, message: 'Online payment isn’t available. Pay by bank transfer' },
  REFUND_RECORDED: { status: 409, message: 'The transfer {reference} was already recorded as a refund' },
  INVOICE_SETTLED: { status: 409, message: '{number} can no longer be changed: {why}' },
  REACTIVATION_REFUSED: { status: 409, message: '{account} can’t be reactivated: {why}' },
  RENEWAL_NOT_OPEN: { status: 409, message: 'A renewal can’t be asked for now: {why}' },
  TOO_MANY_QUOTES: { status: 409, message: 'There are {most} quotes for this renewal already. Use the latest one' },
  HOLD_RELEASED: { status: 409, message: 'Suspensions and closures were released already, by {who}' },
  FEES_NOT_ANNOUNCED: {
    status: 409,
    message:
      'No fees of {kind} are announced for {day}. Registry staff announce them at the desk, under Fees, or its operator with “registry fees announce”',
  },
  FEES_ANNOUNCED: {
    status: 409,
    message: 'Fees of {kind} are announced already from {from} until {until}',
  },
  FEES_IN_USE: { status: 409, message: 'The fees from {from} can’t be withdrawn: {why}' },
} as const satisfies ErrorRows;
