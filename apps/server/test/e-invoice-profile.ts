import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** A registry that writes e-invoices for two economies. */
export const eInvoiceRows = {
  eInvoices: [
    { economy: 'AU', scheme: '0151' },
    { economy: 'SG', scheme: '0195' },
  ],
  eInvoiceSeller: {
    electronicAddress: '0106:40538547',
    economy: 'NL',
    city: 'Amsterdam',
    postcode: '1012 AB',
    vatNumber: 'NL810135555B01',
    registrationNumber: '0106:40538547',
    untaxedCategory: 'O' as const,
    untaxedReason: 'Outside the scope of VAT',
  },
};

/** Writes a profile into a file, and returns its name. */
export const profileFile = async (value: object): Promise<string> => {
  const file = path.join(os.tmpdir(), `e-invoices-${crypto.randomUUID()}.json`);
  await writeFile(file, JSON.stringify(value));
  return file;
};
