import { DAY_MS, instantAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Database, ownActivity } from '../../platform/database/index.ts';
import { eachAlone } from '../../platform/each-alone.ts';
import { announceExpiry } from './api-key-notices.ts';

/** Days before a key expires on which the corporate contacts are reminded. */
const REMINDER_DAYS = 14;

/** Reminds the corporate contacts, once, of each key that expires within two weeks; keys made for a shorter time are skipped. */
export async function remindOfExpiringKeys(db: Database, now: Date): Promise<void> {
  const due = await db.read.rows<{ apiKeyId: string; accountName: string }>(sql`select api_key_id::text, account_name from api_key
    where revoked_at is null and reminded_at is null and expires_at between ${now.toISOString()}::timestamptz and ${instantAfter(now, REMINDER_DAYS * DAY_MS)}::timestamptz
      and expires_at - created_at > make_interval(days => ${REMINDER_DAYS}) order by api_key_id`);
  await eachAlone(
    due,
    ({ apiKeyId, accountName }) => `API key ${apiKeyId} of ${accountName}`,
    ({ apiKeyId, accountName }) =>
      db.change(ownActivity('apiKeys.remindOfExpiry', 'Reminded of an API key that expires', accountName), async change => {
        const [key] = await change.rows<{
          label: string;
          expiresAt: string;
        }>(sql`update api_key set reminded_at = ${change.now}::timestamptz
        where api_key_id = ${apiKeyId}::bigint and reminded_at is null and revoked_at is null returning label, expires_at`);
        if (!key) return;
        await change.note({ label: key.label });
        await announceExpiry(change, { accountName, apiKeyId, ...key });
      }),
  );
}
