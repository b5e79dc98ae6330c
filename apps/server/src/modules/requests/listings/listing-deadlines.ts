import { DAY_MS, daysAfter, instantBefore } from '@portal/contract/days';
import { sql } from 'kysely';
import type { ActOf } from '../../../platform/activity-words.ts';
import { type ActivityInfo, type Database, ownActivity } from '../../../platform/database/index.ts';
import { eachAlone, stepsAlone } from '../../../platform/each-alone.ts';
import type { Profile } from '../../../profile.ts';
import { todayOf } from '../account-facts.ts';
import { endListing, notifyHolder, sizeWords } from './listings.ts';
import { requestsTexts } from '../mail-texts.ts';

/** Days before its end on which the holder of a listing is reminded, and how long messages are stored. */
const NOTICE_DAYS = 7;
const MESSAGE_DAYS = 365;

type Due = { listingId: string; accountName: string; kind: 'offer' | 'wanted'; resource: string | null; length: number; expiresOn: string };
const columns = sql`listing_id::text, account_name, kind, resource, length, expires_on::text`;

const line = (action: ActOf<'requests.listings'>, summary: string, accountName?: string): ActivityInfo =>
  ownActivity(`requests.listings.${action}`, summary, accountName);

/** Handles deadlines of the board: listings expire after a reminder; messages are deleted after a year. */
export async function runListingDeadlines(db: Database, now: Date, profile: Profile): Promise<void> {
  const today = todayOf(profile, now);
  await stepsAlone({
    expireListings: () => expireListings(db, today),
    remindOfListings: () => remindOfListings(db, today),
    deleteMessages: () => deleteMessages(db, now),
  });
}

async function expireListings(db: Database, today: string): Promise<void> {
  const over = await db.read.rows<Due>(
    sql`select ${columns} from listing where state = 'open' and expires_on < ${today}::date order by listing_id`,
  );
  await eachAlone(
    over,
    ({ listingId, accountName }) => `listing ${listingId} of ${accountName}`,
    each =>
      db.change(line('expireListing', 'A listing expired', each.accountName), async change => {
        const [due] = await change.rows(
          sql`select 1 from listing where listing_id = ${each.listingId}::bigint and state = 'open' and expires_on < ${today}::date for update`,
        );
        if (!due) return;
        await endListing(change, each.listingId, 'expired');
        await change.note({ listing: sizeWords(each) });
        await notifyHolder(change, each, {
          text: requestsTexts.written('listingEnded', { listing: sizeWords(each) }),
          act: 'View listings',
        });
      }),
  );
}

async function remindOfListings(db: Database, today: string): Promise<void> {
  const soon = await db.read.rows<Due>(sql`select ${columns} from listing where state = 'open' and reminded_on is null
    and expires_on between ${today}::date and ${daysAfter(today, NOTICE_DAYS)}::date order by listing_id`);
  await eachAlone(
    soon,
    ({ listingId, accountName }) => `listing ${listingId} of ${accountName}`,
    each =>
      db.change(line('remindOfListing', 'Sent a reminder of a listing', each.accountName), async change => {
        const reminded = await change.rows(
          sql`update listing set reminded_on = ${today}::date where listing_id = ${each.listingId}::bigint and state = 'open' and reminded_on is null returning 1`,
        );
        if (reminded.length === 0) return;
        await change.note({ listing: sizeWords(each) });
        await notifyHolder(change, each, {
          text: requestsTexts.written('listingEnds', { listing: sizeWords(each), expiresOn: each.expiresOn }),
          act: 'Renew',
        });
      }),
  );
}

async function deleteMessages(db: Database, now: Date): Promise<void> {
  const old = instantBefore(now, MESSAGE_DAYS * DAY_MS);
  const [message] = await db.read.rows(sql`select 1 from listing_message where sent_at < ${old}::timestamptz limit 1`);
  if (message)
    await db.change(line('deleteListingMessages', 'Deleted old messages about listings'), async change => {
      const gone = await change.rows(sql`delete from listing_message where sent_at < ${old}::timestamptz returning 1`);
      await change.note({ messages: gone.length });
    });
}
