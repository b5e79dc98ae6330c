import { createHmac, timingSafeEqual } from 'node:crypto';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import type { Change, Read } from '../../platform/database/index.ts';
import { derivedKeys, type Secrets } from '../../platform/secret-box.ts';

/** How many days the link in a notice is valid. */
const DAYS = 7;
const PURPOSE = 'freeze link';
const signatureOf = (key: Buffer, linkId: string): Buffer => createHmac('sha256', key).update(linkId).digest();

/** The login a link freezes, and the mail that contains it. */
export type FreezeLink = { freezeLinkId: string; loginId: string; accountName: string | null; mailedTo: string };

/** State of a link. `unknown`: it is not one of ours, or was truncated. */
export type FreezeLinkFound = { state: 'open'; link: FreezeLink } | { state: 'expired' | 'used' | 'unknown' };

/** Creates the link of one mail (S30): its holder can freeze this login, no other, once within seven days. */
export async function makeFreezeLink(change: Change, link: Omit<FreezeLink, 'freezeLinkId'>): Promise<string> {
  const { freezeLinkId } = await change
    .insertInto('freezeLink')
    .values({
      ...link,
      activityId: change.activityId,
      madeAt: change.now,
      expiresAt: instantAfter(change.now, DAYS * DAY_MS),
    })
    .returning('freezeLinkId')
    .executeTakeFirstOrThrow();
  return freezeLinkId;
}

/** Returns the address of a link. It is written into the mail when that is sent, and not stored. */
export function freezeAddress(config: Secrets & { appUrl: string }, freezeLinkId: string): string {
  const signature = signatureOf(derivedKeys(config, PURPOSE)[0], freezeLinkId).toString('base64url');
  return `${config.appUrl}/account/freeze?${new URLSearchParams({ link: freezeLinkId, signature }).toString()}`;
}

/** Returns what an address opens, without using it: mail scanners open links too. Addresses made under SECRET_KEY_OLD still work. */
export async function readFreezeLink(config: Secrets, read: Read, query: Record<string, unknown>, now: Date): Promise<FreezeLinkFound> {
  const { link: freezeLinkId, signature } = query;
  if (typeof freezeLinkId !== 'string' || typeof signature !== 'string') return { state: 'unknown' };
  const given = Buffer.from(signature, 'base64url');
  const ours = derivedKeys(config, PURPOSE).some(key => {
    const expected = signatureOf(key, freezeLinkId);
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
  if (!ours) return { state: 'unknown' };
  const row = await read
    .selectFrom('freezeLink')
    .select(['freezeLinkId', 'loginId', 'accountName', 'mailedTo', 'expiresAt', 'usedAt'])
    .where('freezeLinkId', '=', freezeLinkId)
    .executeTakeFirst();
  // Deleted some time after it expired.
  if (!row) return { state: 'expired' };
  const { expiresAt, usedAt, ...link } = row;
  if (usedAt !== null) return { state: 'used' };
  return Date.parse(expiresAt) > now.getTime() ? { state: 'open', link } : { state: 'expired' };
}

/** Uses a link; of concurrent uses only one succeeds. */
export async function takeFreezeLink(change: Change, freezeLinkId: string): Promise<boolean> {
  const { numUpdatedRows } = await change
    .updateTable('freezeLink')
    .set({ usedAt: change.now })
    .where('freezeLinkId', '=', freezeLinkId)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', change.now)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
