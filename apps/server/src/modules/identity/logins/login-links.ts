import { createHash, randomBytes } from 'node:crypto';
import { DAY_MS, HOUR_MS, instantAfter, instantBefore, MINUTE_MS } from '@portal/contract/days';
import type { ExpressionBuilder } from 'kysely';
import { type Change, type Database, type JsonValue, ownActivity, type Read, type Tables } from '../../../platform/database/index.ts';

/** Purposes of links. */
export type LinkPurpose =
  | 'register'
  | 'reset-password'
  | 'change-email'
  | 'undo-change-email'
  | 'invitation'
  | 'staff-invitation'
  | 'referral'
  | AddressPurpose;
/** Links that confirm an address other than a login's own, or undo it (`address-pages.ts`). */
export type AddressPurpose = 'contact-email' | 'undo-contact-email' | 'security-address' | 'topic-address' | 'data-report' | 'status-mails';

/** A link sent by mail: opening it in time proves, once, that the person reads the mail of that address. */
export type LoginLink = {
  linkId: string;
  /** Null if the link creates the login. */
  loginId: string | null;
  /** The address it was sent to. */
  email: string;
  /** The request, as passed to `makeLink` or `askForLink`. */
  asked: JsonValue;
  madeAt: string;
  expiresAt: string;
};

/** The result of looking a token up. Pages distinguish the refusals; none of them reveals whose link it was. */
export type LinkFound = { state: 'open'; link: LoginLink } | { state: 'expired' | 'used'; linkId: string } | { state: 'unknown' };

/** Why a link no longer works. */
export type LinkRefusal = Exclude<LinkFound['state'], 'open'>;
/** Refusals of a link that takes an e-mail address, which another login may have taken meanwhile. */
export type AddressLinkRefusal = LinkRefusal | 'taken';

export type LinkWanted = {
  purpose: LinkPurpose;
  loginId?: string | null;
  email: string;
  asked?: JsonValue;
  /** Validity: 30 for immediate steps, up to 7 days (10,080) for an invitation (S23), 14 days for a referral. */
  minutes: number;
};

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();
const after = (now: string, minutes: number): string => instantAfter(now, minutes * MINUTE_MS);
const columns = ['linkId', 'loginId', 'email', 'asked', 'madeAt', 'expiresAt'] as const;

/** How long an expired link is distinguished from one that never existed; invitations and referrals for a quarter, because their mails stay around. */
export const REMEMBERED_HOURS = 24;
export const INVITATION_REMEMBERED_DAYS = 90;

/** Records that a link is requested, without creating it: a task decides whether there is a recipient (`issueToken`). */
export async function askForLink(change: Change, { purpose, loginId = null, email, asked = {}, minutes }: LinkWanted): Promise<string> {
  const { linkId } = await change
    .insertInto('loginLink')
    .values({ purpose, loginId, email, asked: JSON.stringify(asked), madeAt: change.now, expiresAt: after(change.now, minutes) })
    .returning('linkId')
    .executeTakeFirstOrThrow();
  return linkId;
}

/**
 * Creates the requested link, whose validity starts now. Returns its token, 32 random bytes in base64url, which is not stored; null
 * if it has one already.
 */
export async function issueToken(
  change: Change,
  linkId: string,
  { minutes, ...owner }: { minutes: number; loginId?: string; email?: string },
): Promise<string | null> {
  const token = randomBytes(32).toString('base64url');
  const { numUpdatedRows } = await change
    .updateTable('loginLink')
    .set({ ...owner, digest: digestOf(token), expiresAt: after(change.now, minutes) })
    .where('linkId', '=', linkId)
    .where('digest', 'is', null)
    .where('usedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n ? token : null;
}

/** Creates a link immediately. Its address, which holds the token, goes into the mail and nowhere else. */
export async function makeLink(change: Change, wanted: LinkWanted): Promise<{ linkId: string; token: string }> {
  const linkId = await askForLink(change, wanted);
  const token = await issueToken(change, linkId, { minutes: wanted.minutes });
  return { linkId, token: token! };
}

/** Returns what a token opens, without using it: for the page that asks for confirmation. Mail scanners open links too. */
export async function readLink(read: Read, token: string, purpose: LinkPurpose, now: Date): Promise<LinkFound> {
  const row = await read
    .selectFrom('loginLink')
    .select([...columns, 'usedAt'])
    .where('digest', '=', digestOf(token))
    .where('purpose', '=', purpose)
    .executeTakeFirst();
  if (!row) return { state: 'unknown' };
  const { usedAt, ...link } = row;
  const { linkId } = link;
  if (usedAt !== null) return { state: 'used', linkId };
  return Date.parse(link.expiresAt) > now.getTime() ? { state: 'open', link } : { state: 'expired', linkId };
}

/** Uses a link. If several try at the same time, one succeeds; it gets the request, which is then deleted. */
export async function takeLink(change: Change, token: string, purpose: LinkPurpose): Promise<LinkFound> {
  const link = await change
    .updateTable('loginLink')
    .set({ usedAt: change.now })
    .where('digest', '=', digestOf(token))
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', change.now)
    .returning(columns)
    .executeTakeFirst();
  if (link) {
    await change.updateTable('loginLink').set({ asked: '{}' }).where('linkId', '=', link.linkId).execute();
    return { state: 'open', link };
  }
  const found = await readLink(change, token, purpose, new Date(change.now));
  return found.state === 'open' ? { state: 'used', linkId: found.link.linkId } : found;
}

/** Invalidates all links of a person for one purpose, including those that a task has yet to send. */
export async function endLinks(change: Change, loginId: string, purpose: LinkPurpose): Promise<void> {
  await change
    .updateTable('loginLink')
    .set({ expiresAt: change.now, asked: '{}' })
    .where('loginId', '=', loginId)
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', change.now)
    .execute();
}

/** Invalidates one link. */
export async function endLink(change: Change, linkId: string): Promise<void> {
  await change
    .updateTable('loginLink')
    .set({ expiresAt: change.now, asked: '{}' })
    .where('linkId', '=', linkId)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', change.now)
    .execute();
}

/** Deletes old links and their requests. Leaves a line in the log if it deleted any. */
export async function sweepLinks(db: Database, now: Date): Promise<void> {
  const before = instantBefore(now, REMEMBERED_HOURS * HOUR_MS);
  const longBefore = instantBefore(now, INVITATION_REMEMBERED_DAYS * DAY_MS);
  const over = (eb: ExpressionBuilder<Tables, 'loginLink'>) =>
    eb.or([
      eb('expiresAt', '<', longBefore),
      eb.and([eb('expiresAt', '<', before), eb('purpose', 'not in', ['invitation', 'staff-invitation', 'referral'])]),
    ]);
  const old = await db.read.selectFrom('loginLink').select('linkId').where(over).limit(1).executeTakeFirst();
  if (!old) return;
  const line = ownActivity('identity.deleteExpiredLinks', 'Forgot expired links');
  await db.change(line, change => change.deleteFrom('loginLink').where(over).execute());
}
