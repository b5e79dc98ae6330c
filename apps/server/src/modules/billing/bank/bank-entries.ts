/** An incoming transfer as a bank statement names it. Amounts are decimal text with two places. */
export type BankEntry = {
  bookedOn: string;
  currency: string;
  amount: string;
  payer: string;
  remittance: string;
  /** The bank's name for the transfer, or empty. */
  reference: string;
};

/** A bank statement: its incoming transfers, and the number of lines skipped because they are outgoing, reversed or not booked. */
export type BankFile = { format: 'CAMT.053' | 'CSV'; bankAccount: string; entries: BankEntry[]; leftOut: number };

/** An entry as stored: its texts are truncated, and its fingerprint distinguishes it from the entries of every other file. */
export type NewBankLine = BankEntry & { fingerprint: string };

/** The reason why a file isn't a bank statement, shown at the field. */
export class NoStatement extends Error {}
