import type { Profile } from '../../../profile.ts';
import { qrDrawing } from '../../../platform/qr-drawing.ts';
import { cents } from '../money.ts';

type Paid = { currency: string; amount: string; reference: string };
type Payee = Pick<Profile, 'iban' | 'bic' | 'invoiceName'>;

/** Longest name of a payee. */
const LONGEST_NAME = 70;

/**
 * Returns the text of a payment’s QR code that banking apps read, by the guideline EPC069-12 of the European Payments Council, version 002; null where there is no such code: it is
 * for transfers in euro. Other currencies have no code that every bank knows.
 * @param reference a creditor reference (ISO 11649)
 */
export function payCodeText({ currency, amount, reference }: Paid, { iban, bic, invoiceName }: Payee): string | null {
  if (currency !== 'EUR' || iban === '' || cents(amount) <= 0n) return null;
  const name = Array.from(invoiceName).slice(0, LONGEST_NAME).join('');
  // Service, version, UTF-8, SEPA credit transfer; no purpose; what follows the reference is left out.
  return ['BCD', '002', '1', 'SCT', bic, name, iban, `EUR${amount}`, '', reference].join('\n');
}

/** Returns the QR code of a payment as a path of its dark modules; null where there is none. */
export function payCode(paid: Paid, payee: Payee): { size: number; path: string } | null {
  const text = payCodeText(paid, payee);
  return text === null ? null : qrDrawing(text);
}
