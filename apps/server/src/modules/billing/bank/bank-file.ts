import { createHash } from 'node:crypto';
import { largestStatement, maxStatementLines } from '@portal/contract/billing/bank-statements';
import { refuseField } from '../../../platform/failure.ts';
import { type BankFile, NoStatement, UnclearAmount } from './bank-entries.ts';
import { readCamt } from './camt.ts';
import { type DecimalSign, readBankCsv } from './bank-csv.ts';

/**
 * Reads a bank statement: ISO 20022 camt.053 in any version, or CSV with a head line. A CSV line without a currency gets the given one.
 * @param decimal the sign before the cents of a CSV file @throws Failure INVALID_REQUEST that names what is wrong
 */
export function readBankFile(content: string, currency: string, decimal?: DecimalSign): BankFile {
  const text = content.replace(/^\uFEFF/, '');
  if (Buffer.byteLength(text) > largestStatement) throw refuseField('content', 'The file is larger than 10 MB. Export a shorter period');
  try {
    const file = /^\s*</.test(text) ? readCamt(text) : readBankCsv(text, currency, decimal);
    if (file.entries.length > maxStatementLines)
      throw new NoStatement(`It has ${file.entries.length} lines; the limit is ${maxStatementLines}. Export a shorter period`);
    return file;
  } catch (error) {
    if (error instanceof UnclearAmount) throw refuseField('decimal', error.message);
    if (error instanceof NoStatement) throw refuseField('content', error.message);
    throw error;
  }
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

/**
 * Returns the fingerprint of each entry: the same for the same line in another file, and a different one for each of several equal lines of a day.
 * This assumes that files list the lines of a day in the same order.
 */
export function fingerprintsOf({ bankAccount, entries }: BankFile): string[] {
  const equal = new Map<string, number>();
  return entries.map(({ bookedOn, currency, amount, payer, remittance, reference }) => {
    const facts = JSON.stringify([bankAccount, bookedOn, currency, amount, plain(payer), plain(remittance), plain(reference)]);
    const place = (equal.get(facts) ?? 0) + 1;
    equal.set(facts, place);
    return createHash('sha256').update(`${facts} ${place}`).digest('hex');
  });
}
