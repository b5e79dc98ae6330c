import { createHash, randomBytes } from 'node:crypto';
import type { AnswerOf } from '@portal/contract';
import type { Announcement } from '@portal/contract/announcements/announcement-shapes';
import type { ownFeeds } from '@portal/contract/announcements/own-feeds';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import { readFor } from './announcements.ts';

const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Since when the person has a private feed. */
export async function getOwnFeed({
  read,
  caller: { loginId },
}: Act<typeof ownFeeds.getOwnFeed>): Promise<AnswerOf<typeof ownFeeds.getOwnFeed>> {
  const row = await read.selectFrom('announcementFeed').select('madeAt').where('loginId', '=', loginId).executeTakeFirst();
  return { madeAt: row?.madeAt ?? null };
}

/** Makes a new address for the person's feed. Only its digest is stored, so it is shown once; the previous address stops working. */
export async function makeOwnFeed({
  change,
  caller: { loginId },
  registry: { config },
}: {
  change: Change;
  caller: { loginId: string };
  registry: { config: Pick<Registry['config'], 'appUrl'> };
}): Promise<AnswerOf<typeof ownFeeds.makeOwnFeed>> {
  const secret = randomBytes(24).toString('base64url');
  const row = { addressDigest: digestOf(secret), madeAt: change.now };
  await change
    .insertInto('announcementFeed')
    .values({ loginId, ...row })
    .onConflict(conflict => conflict.column('loginId').doUpdateSet(row))
    .execute();
  const url = `${config.appUrl}/feeds/own/${secret}`;
  return { atomUrl: `${url}.atom`, jsonUrl: `${url}.json`, madeAt: change.now };
}

/** Ends the person's feed. Without one it changes nothing. */
export async function endOwnFeed({
  change,
  caller: { loginId },
}: Act<typeof ownFeeds.endOwnFeed>): Promise<AnswerOf<typeof ownFeeds.endOwnFeed>> {
  await change.deleteFrom('announcementFeed').where('loginId', '=', loginId).execute();
  return { madeAt: null };
}

/**
 * The announcements of a private feed, newest first: those that its person reads in the portal now. @returns null if the address is unknown or
 * replaced, or its login is disabled or frozen
 */
export async function readOwnFeed(read: Read, secret: string, now: Date, limit: number): Promise<Announcement[] | null> {
  const [owner] = await read.rows<{ loginId: string }>(sql`
    select f.login_id from announcement_feed f join login l using (login_id)
    where f.address_digest = ${digestOf(secret)} and l.disabled_at is null and l.frozen_at is null`);
  return owner ? readFor(read, owner.loginId, now.toISOString(), sql`true`, limit) : null;
}
