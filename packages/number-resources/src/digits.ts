/** Puts a no-break space between thousands of a decimal number: `12 070.08`, `-1 500`. Digits after the point are not grouped. */
export const groupDigits = (number: string): string => number.replace(/^-?\d+/, whole => whole.replace(/\B(?=(?:\d{3})+$)/g, '\u00a0'));

/** A whole number as people read it everywhere (screens, refusals, mails, PDFs, commands): `8 960`, with a gap that does not break. */
export const formatCount = (value: number | bigint): string => groupDigits(value.toString());

/**
 * An amount of money as people read it everywhere: `AUD 12 070.08`, with gaps that do not break.
 * @param amount decimal, as the contract has it: `12070.08`
 */
export const formatMoney = (currency: string, amount: string): string =>
  amount.startsWith('-') ? `-${currency}\u00a0${groupDigits(amount.slice(1))}` : `${currency}\u00a0${groupDigits(amount)}`;

/**
 * A share as people read it everywhere: `72 %`, whole and rounded, so that one share reads the same on each page. `under 1 %` and `over 99 %` while there is some
 * of it or of the rest.
 * @param share 0 to 1
 */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.005) return 'under 1\u00a0%';
  if (share < 1 && share > 0.995) return 'over 99\u00a0%';
  return `${Math.round(share * 100)}\u00a0%`;
}

/** A range as people read it on screens, with an en dash: `AS65536 – AS65538`. Data, files and whois keep the hyphen of RFC 2622. Any other text stays. */
export const formatRange = (text: string): string => text.replace(/^([^\s-]+) - ([^\s-]+)$/, '$1\u00a0– $2');
