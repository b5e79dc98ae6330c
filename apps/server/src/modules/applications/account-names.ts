import { AccountName, type ApplicationDraft } from '@portal/contract/applications/application-form';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Change, Read } from '../../platform/database/index.ts';
import { findAccount, takenAccountNames } from '../accounts/index.ts';

/** Legal forms at the end of a name, which an account name does not need. */
const legalForms =
  /^(PTY|PTE|PVT|LTD|LIMITED|INC|INCORPORATED|LLC|LLP|CO|CORP|CORPORATION|COMPANY|GMBH|SA|SDN|BHD|KK|PT|TBK|PLC|AG|THE|OF|AND|FOR)$/;
/** Room for the hyphen, the economy, and a number. */
const LONGEST_STEM = 32;

/** Returns the words of a text that an account name can contain: Latin letters without diacritics, and digits. */
const latinWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f'’.]/g, '')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter(word => word !== '');

/** Begins with a letter, and is as long as whole words allow. */
function stemOf(words: readonly string[]): string {
  const from = words.findIndex(word => /^[A-Z]/.test(word));
  if (from === -1) return '';
  let stem = words[from]!.slice(0, LONGEST_STEM);
  for (const word of words.slice(from + 1)) {
    if (stem.length + 1 + word.length > LONGEST_STEM) break;
    stem += `-${word}`;
  }
  return stem;
}

/**
 * Suggested account names, best first: from the legal name, the trading name, and the domains of website and e-mail, each followed by the economy.
 * Names in other scripts give none, so there may only be `MEMBER-AU`.
 */
export function accountNamesFrom({
  orgName,
  tradingName,
  website,
  abuseEmail,
  economy,
}: Pick<ApplicationDraft, 'orgName' | 'tradingName' | 'website' | 'abuseEmail' | 'economy'>): string[] {
  const withoutForms = (text: string): string[] => latinWords(text).filter(word => !legalForms.test(word));
  const host = URL.canParse(website) ? new URL(website).hostname : '';
  const domain = (host || abuseEmail.split('@')[1] || '').replace(/^www\./, '').split('.')[0] ?? '';
  const words = withoutForms(orgName);
  const stems = [stemOf(words), stemOf(withoutForms(tradingName)), stemOf(words.slice(0, 1)), stemOf(latinWords(domain)), 'MEMBER'];
  return [...new Set(stems.filter(stem => stem.length > 1).map(stem => `${stem}-${economy}`))].filter(
    name => z.safeParse(AccountName, name).success,
  );
}

/** Returns which of the names are free, apart from the given application's own. */
async function freeOf(read: Read, names: readonly string[], applicationId: number): Promise<Set<string>> {
  const reserved = await read.rows<{ accountName: string }>(sql`
    select account_name from reserved_account_name
      where account_name = any (${[...names]}) and membership_application_id <> ${applicationId}`);
  const gone = new Set([...reserved.map(({ accountName }) => accountName), ...(await takenAccountNames(read, names))]);
  return new Set(names.filter(name => !gone.has(name)));
}

export const isFree = async (read: Read, name: string, applicationId: number): Promise<boolean> =>
  (await freeOf(read, [name], applicationId)).size > 0;

/** Up to three free names; if a good one is taken, the same with a number. */
export async function proposeAccountNames(read: Read, draft: ApplicationDraft, applicationId: number): Promise<string[]> {
  if (!/^[A-Z]{2}$/.test(draft.economy)) return [];
  const wanted = accountNamesFrom(draft);
  const numbered = wanted.flatMap(name => [2, 3, 4].map(number => name.replace(/-([A-Z]{2})$/, `${number}-$1`)));
  const free = await freeOf(read, [...wanted, ...numbered], applicationId);
  return [...wanted, ...numbered].filter(name => free.has(name)).slice(0, 3);
}

/** Reserves a name for an application, and releases its previous one. Of two who want the same name, one gets it. */
export async function reserveAccountName(change: Change, accountName: string, applicationId: number): Promise<boolean> {
  await releaseAccountName(change, applicationId);
  const reserved = await change
    .insertInto('reservedAccountName')
    .values({ accountName, membershipApplicationId: applicationId })
    .onConflict(conflict => conflict.doNothing())
    .returning('accountName')
    .executeTakeFirst();
  if (!reserved) return false;
  return (await findAccount(change, accountName)) === null;
}

/** Releases the name of a finished application. */
export const releaseAccountName = (change: Change, applicationId: number): Promise<unknown> =>
  change.deleteFrom('reservedAccountName').where('membershipApplicationId', '=', applicationId).execute();

/** A registration number without spaces and punctuation, for comparison; null if nothing is left. */
export const registrationKeyOf = (registrationNumber: string): string | null =>
  registrationNumber
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s!-/:-@[-`{-~]/g, '') || null;

/** The same for the organisation `o` in a query. */
export const registrationKeyColumn = sql`upper(regexp_replace(normalize(o.registration_number, NFKC), ${'[[:space:]!-/:-@\\[-`{-~]'}, '', 'g'))`;
