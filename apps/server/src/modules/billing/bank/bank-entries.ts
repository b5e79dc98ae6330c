/** An incoming transfer as a bank statement names it. Amounts are decimal text with two places. */
export type BankEntry = {
  bookedOn: string;
  currency: string;
  amount: string;
  payer: string;
  remittance: string;
  /** How the bank names the transfer; empty where it does not. */
  reference: string;
};

/** A bank statement: its incoming transfers, and how many lines are left out because they left, were reversed or aren't booked. */
export type BankFile = { format: 'CAMT.053' | 'CSV'; bankAccount: string; entries: BankEntry[]; leftOut: number };

/** An entry as it is kept: its texts are cut, and its fingerprint tells it from others of any file. */
export type NewBankLine = BankEntry & { fingerprint: string };

/** Why a file is no statement; shown at the field. */
export class NoStatement extends Error {}
