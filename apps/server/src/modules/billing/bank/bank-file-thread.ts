import { portionsOfJson } from '../../../platform/portions.ts';
import { refuseField } from '../../../platform/failure.ts';
import type { BankFile, NewBankLine } from './bank-entries.ts';
import type { DecimalSign } from './bank-csv.ts';
import { fingerprintsOf, readBankFile } from './bank-file.ts';

/**
 * Reads a bank statement, and yields the lines to store, as JSON arrays of `NewBankLine` that the database takes apart. @param given `currency` of CSV
 * lines that have none; `today`: transfers of later days are refused; `decimal`: the sign before the cents @throws Failure INVALID_REQUEST
 */
export function* read({
  content,
  currency,
  today,
  decimal,
}: {
  content: string;
  currency: string;
  today: string;
  decimal?: DecimalSign | undefined;
}): Generator<string, Omit<BankFile, 'entries'> & { lines: number }> {
  const { entries, ...file } = readBankFile(content, currency, decimal);
  const future = entries.find(({ bookedOn }) => bookedOn > today);
  if (future)
    throw refuseField('content', `A transfer is dated ${future.bookedOn}, after today. Dates are day before month, or 2026-11-23`);
  const fingerprints = fingerprintsOf({ ...file, entries });
  const lines = entries.map(
    ({ payer, remittance, reference, ...entry }, place): NewBankLine => ({
      ...entry,
      payer: cut(payer, 255),
      remittance: cut(remittance, 1000),
      reference: cut(reference, 80),
      fingerprint: fingerprints[place]!,
    }),
  );
  for (const portion of portionsOfJson(lines)) yield JSON.stringify(portion);
  return { ...file, lines: lines.length };
}

const cut = (text: string, most: number): string =>
  Array.from(text.replaceAll('\0', '').replace(/\s+/g, ' ').trim()).slice(0, most).join('');
