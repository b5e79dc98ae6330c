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

/** An amount that has two meanings, of which only the person who has the file knows the right one. */
export class UnclearAmount extends Error {
  constructor(line: number, amount: string) {
    const sign = amount.includes('.') ? 'point' : 'comma';
    super(`Line ${line}: ${amount} has three digits after its ${sign}. Choose the sign before the cents in this file`);
  }
}

/** The reason why a file isn't a bank statement, shown at the field. */
export class NoStatement extends Error {}
