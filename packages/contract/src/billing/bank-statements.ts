import * as z from 'zod/mini';
import { calendarDay } from '../calendar-day.ts';
import { endpoint, group, member, staff } from '../endpoint.ts';
import { AttachedIds } from '../documents/documents.ts';
import { oneLine } from '../one-line.ts';
import { severalLines } from '../several-lines.ts';
import { MoneyAmount } from './billing.ts';
import { bankLineLife, bankLineStateNames } from './life.ts';
import { longText } from '../long-text.ts';

/** The largest bank statement file, in bytes. */
export const largestStatement = 10_000_000;
/** The most lines of one. */
export const maxStatementLines = 20_000;

/** States of an incoming transfer, with their labels. */
export type BankLineState = (typeof bankLineStateNames)[number];
export const bankLineStates: Readonly<Record<BankLineState, string>> = { open: 'To match', recorded: 'Recorded', 'set-aside': 'Set aside' };
const State = z.enum(bankLineStateNames);

/** Why an invoice is suggested for a transfer. */
export const bankMatches = {
  exact: 'Its number is quoted, the amount is what is due, and it’s the payer’s',
  unclear: 'Its number is quoted and the amount is what is due. Compare the payer, or the other numbers',
  less: 'Its number is quoted, and the transfer is smaller',
  more: 'Its number is quoted, and the transfer is larger. The rest becomes credit',
  paid: 'Its number is quoted, and it’s paid already. The transfer becomes credit',
  cancelled: 'Its number is quoted, and it’s cancelled. The transfer becomes credit',
  mistyped: 'Its number is quoted with wrong check digits. Find the right one',
  account: 'The account is quoted',
  payer: 'The payer’s name and the amount match',
  amount: 'The amount is what is due',
} as const;
export type BankMatch = keyof typeof bankMatches;

const BankLine = z.object({
  bankLineId: z.string(),
  bookedOn: z.iso.date(),
  currency: z.string(),
  amount: z.string(),
  payer: z.string(),
  /** The payer's message. */
  remittance: z.string(),
  reference: z.string(),
  state: State,
  resolvedBy: z.nullable(z.string()),
  note: z.string(),
  /** Payments that were recorded from it; `reversed`: the reversal of one that went back to the payer. */
  payments: z.array(z.object({ invoiceNumber: z.string(), accountName: z.string(), amount: z.string(), reversed: z.nullable(z.string()) })),
  /** The likeliest first. */
  suggestions: z.array(
    z.object({
      invoiceNumber: z.string(),
      accountName: z.string(),
      orgName: z.string(),
      balance: z.string(),
      match: z.enum(Object.keys(bankMatches) as [BankMatch, ...BankMatch[]]),
    }),
  ),
  /** The unpaid invoices of a joint payment that the payer quotes; `exact`: the transfer is their total. */
  joint: z.nullable(
    z.object({
      number: z.string(),
      invoices: z.array(z.object({ invoiceNumber: z.string(), accountName: z.string(), balance: z.string() })),
      exact: z.boolean(),
    }),
  ),
  /** The invoice for which a transfer that looks like this one was recorded before, by hand or from another statement; null for none. */
  recordedFor: z.nullable(z.string()),
});
export type BankLine = z.infer<typeof BankLine>;

const day = calendarDay();
const Counts = z.object({ open: z.int(), recorded: z.int(), 'set-aside': z.int() });
const errors = ['NOT_FOUND', 'BANK_LINE_RESOLVED'] as const;

export const bankStatements = group('billing.bankStatements', {
  listBankLines: endpoint({
    method: 'GET',
    path: '/api/staff/bank-lines',
    summary: 'Incoming transfers of bank statements, the newest first, 50 at a time, with the invoices that they may pay.',
    access: staff(['payments', 'billing']),
    query: z.object({
      state: z._default(State, 'open'),
      /** Words of the payer, the message or the reference, the amount, or the number or account of an invoice that it paid. */
      q: z._default(z.string().check(z.trim(), z.maxLength(100)), ''),
      /** Booked on this day or later. */
      from: z.optional(day),
      /** Booked on this day or earlier. */
      to: z.optional(day),
      /** `next` of the page before. */
      after: z.optional(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2} \d{1,15}$/, { error: 'Enter the `next` of the page before' }))),
    }),
    /** `counts` are of all that the search and the days leave. */
    answer: z.object({ counts: Counts, rows: z.array(BankLine), next: z.nullable(z.string()) }),
  }),
  listKeptOpen: endpoint({
    method: 'GET',
    path: '/api/staff/accounts-kept-open',
    summary:
      'Accounts that are neither suspended nor closed while a transfer isn’t matched that may pay their invoice, and until when at the latest.',
    access: staff(['payments', 'billing']),
    answer: z.object({
      rows: z.array(
        z.object({
          accountName: z.string(),
          orgName: z.string(),
          step: z.enum(['suspension', 'closing']),
          invoiceNumber: z.string(),
          bankLineId: z.string(),
          bookedOn: z.iso.date(),
          currency: z.string(),
          amount: z.string(),
          payer: z.string(),
          /** The last day on which the transfer keeps it open. */
          until: z.iso.date(),
        }),
      ),
    }),
  }),
  importBankStatement: endpoint({
    method: 'POST',
    path: '/api/staff/bank-statements',
    summary: 'Import a bank statement, CAMT.053 or CSV. Each line counts once: a file that is imported twice changes nothing.',
    access: staff('payments'),
    effect: 'money',
    limit: { none: 'it lists transfers: each counts when it is recorded' },
    body: z.object({
      fileName: oneLine(255, 1),
      content: longText({
        most: largestStatement,
        tooLong: 'The file is larger than 10 MB. Export a shorter period',
        empty: 'The file is empty',
      }),
      /** The sign before the cents of a CSV file, where its amounts don’t say: `8.005` is eight thousand and five in one with `,`. */
      decimal: z.optional(z.enum(['.', ','], { error: 'Enter . or ,' })),
    }),
    largestBody: 2 * largestStatement,
    answer: z.object({
      format: z.enum(['CAMT.053', 'CSV']),
      added: z.int(),
      /** Lines that an earlier file had. */
      known: z.int(),
      /** Lines that were skipped: outgoing transfers, reversals, and those the bank has not booked yet. */
      leftOut: z.int(),
    }),
    errors: ['INVALID_REQUEST'],
    activity: 'Imported a bank statement',
  }),
  recordBankLine: endpoint({
    method: 'POST',
    path: '/api/staff/bank-lines/:bankLineId/payments',
    summary:
      'Record a transfer of a bank statement for an invoice, or in parts for several. What is too much becomes credit of the account.',
    access: staff('payments'),
    effect: 'money',
    moves: bankLineLife.record,
    limit: 'received',
    body: z.object({
      parts: z
        .array(
          z.object({
            invoiceNumber: z.string().check(z.regex(/^INV-\d{4}-\d{6}$/, { error: 'Enter an invoice number, such as INV-2026-000001' })),
            amount: MoneyAmount,
          }),
        )
        .check(z.minLength(1, { error: 'Choose an invoice' }), z.maxLength(50)),
      /** Confirms that it is a different transfer from the one that looks the same (PAYMENT_ALIKE). */
      isAnother: z.optional(z.boolean()),
      /** Confirms that the money came before an invoice was issued (PAYMENT_EARLY). */
      isEarly: z.optional(z.boolean()),
    }),
    answer: BankLine,
    errors: [...errors, 'OWN_REQUEST', 'INVOICE_NOT_PAYABLE', 'PAYMENT_ALIKE', 'PAYMENT_EARLY'],
    secondPersonWhen: 'more than one person may record, or a transfer that looks like a recorded one',
    activity: 'Recorded a payment from a bank statement',
  }),
  setAsideBankLine: endpoint({
    method: 'POST',
    path: '/api/staff/bank-lines/:bankLineId/set-aside',
    summary: 'Set a transfer aside that pays no invoice, with the reason: it goes back to the bank, or was recorded by hand.',
    access: staff('payments'),
    effect: 'money',
    moves: bankLineLife.setAside,
    limit: 'received',
    body: z.object({ reason: severalLines(500, 1) }),
    answer: BankLine,
    errors,
    secondPersonWhen: 'more than one person may set aside',
    activity: 'Set a transfer aside',
  }),
  undoBankLine: endpoint({
    method: 'POST',
    path: '/api/staff/bank-lines/:bankLineId/undo',
    summary:
      'Undo a match: every payment that was recorded from the transfer is reversed, its invoices are due again, and it can be matched with the right ones.',
    access: staff('payments'),
    effect: 'money',
    moves: bankLineLife.undo,
    limit: ['given', 'received', 'time'],
    body: z.object({ reason: severalLines(500, 1) }),
    answer: BankLine,
    errors: [...errors, 'OWN_REQUEST', 'PAYMENT_NOT_REVERSIBLE'],
    secondPersonWhen: 'more money or time than one person may give',
    activity: 'Undid the match of a transfer',
  }),
  reopenBankLine: endpoint({
    method: 'POST',
    path: '/api/staff/bank-lines/:bankLineId/reopen',
    summary: 'Match a transfer after all that was set aside.',
    access: staff('payments'),
    effect: 'money',
    moves: bankLineLife.reopen,
    limit: { none: 'it takes back what set it aside: it counts again when it is recorded' },
    answer: BankLine,
    errors,
    activity: 'Put back a bank transfer that was set aside',
  }),
  sendRemittance: endpoint({
    method: 'POST',
    path: '/api/:account/billing/invoices/:invoiceNumber/remittance',
    summary: 'Send the remittance advice of a transfer for an invoice. The registry gets an e-mail and finds the file among the documents.',
    access: member('member-billing-update', { closed: true }),
    effect: 'conversation',
    body: z.object({ documentIds: AttachedIds }),
    answer: z.object({ files: z.int() }),
    errors: ['NOT_FOUND', 'FILE_UNUSABLE', 'INVOICE_SETTLED'],
    activity: 'Sent a remittance advice',
  }),
});
