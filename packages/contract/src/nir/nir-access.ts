import * as z from 'zod/mini';
import { member } from '../endpoint.ts';
import { oneLine } from '../one-line.ts';

/** Who may read a national registry's records of its members. */
export const seeNir = member('resources-view', { staff: true, accounts: 'nir' });
/** Who changes it. */
export const updateNir = member('whois-private-objects-update', { accounts: 'nir' });
/** Sub-accounts and organisations are the national registry's own records. */

export const NirWords = z._default(z.string().check(z.trim(), z.maxLength(100)), '');
/** The last row of the page before, as its answer named it. */
export const AfterRow = z.optional(oneLine(300));
export const nirPageSize = (most: number) => z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(most)), 50);
export const NirEconomy = z
  .string()
  .check(z.trim(), z.toUpperCase(), z.regex(/^([A-Z]{2})?$/, { error: 'Enter a two-letter country code, such as AU' }));
export const NirEmail = z
  .string()
  .check(
    z.trim(),
    z.maxLength(254),
    z.regex(/^([^\s@]+@[^\s@]+\.[^\s@]+)?$/, { error: 'Enter an e-mail address, such as noc@example.net' }),
  );
