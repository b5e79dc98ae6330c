import type { BankFile, NewBankLine } from './bank-entries.ts';
import { fingerprintsOf, readBankFile } from './bank-file.ts';

/** Reads a bank statement into the lines to store. @param given `currency` of CSV lines that have none @throws Failure INVALID_REQUEST */
export function read({ content, currency }: { content: string; currency: string }): Omit<BankFile, 'entries'> & { lines: NewBankLine[] } {
  const { entries, ...file } = readBankFile(content, currency);
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
  return { ...file, lines };
}

const cut = (text: string, most: number): string =>
  Array.from(text.replaceAll('\0', '').replace(/\s+/g, ' ').trim()).slice(0, most).join('');
