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
