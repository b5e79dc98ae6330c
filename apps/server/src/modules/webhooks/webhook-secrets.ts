import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { resealRows, type SecretBox } from '../../platform/secret-box.ts';
import { newWebhookSecret } from './webhook-signature.ts';

const nameOf = (webhookId: string): string => `webhook ${webhookId}`;

/** Makes a secret for a webhook, stores it sealed, and returns it. */
export async function addWebhookSecret(change: Change, box: SecretBox, webhookId: string): Promise<string> {
  const secret = newWebhookSecret();
  await change.rows(sql`insert into webhook_secret (webhook_id, sealed_secret, made_at)
    values (${webhookId}::bigint, ${box.seal(nameOf(webhookId), secret)}, ${change.now}::timestamptz)`);
  return secret;
}

/** The secrets that sign for a webhook, the newest first. */
export async function webhookSecretsOf(
  read: Pick<Read, 'rows'>,
  box: SecretBox,
  { webhookId, now }: { webhookId: string; now: Date },
): Promise<string[]> {
  const rows = await read.rows<{ sealedSecret: Buffer }>(sql`select sealed_secret from webhook_secret
    where webhook_id = ${webhookId}::bigint and (ends_at is null or ends_at > ${now.toISOString()}::timestamptz) order by made_at desc`);
  return rows.map(({ sealedSecret }) => box.open(nameOf(webhookId), sealedSecret).toString());
}

/** Reseals the secrets from SECRET_KEY_OLD to SECRET_KEY. Returns how many. */
export async function resealWebhookSecrets(change: Change, box: SecretBox): Promise<number> {
  const rows = await change.rows<{ webhookId: string; madeAt: string; sealedSecret: Buffer }>(
    sql`select webhook_id::text, made_at, sealed_secret from webhook_secret for update`,
  );
  return resealRows(
    rows,
    ({ webhookId, sealedSecret }) => box.reseal(nameOf(webhookId), sealedSecret),
    ({ webhookId, madeAt }, anew) =>
      change.rows(
        sql`update webhook_secret set sealed_secret = ${anew} where webhook_id = ${webhookId}::bigint and made_at = ${madeAt}::timestamptz`,
      ),
  );
}
