import { sql } from 'kysely';
import type { Change } from '../../../platform/database/index.ts';
import type { DueChecklist, Product } from '../drafts.ts';

/** Serial numbers that a key has to revoke, because contacts revoked the checklists. */
export type RevokedChecklist = { keyId: number; serial: string };

/** Returns the checklists that contacts of these accounts asked to sign or revoke. */
export async function dueChecklists(
  change: Change,
  accountNames: readonly string[],
): Promise<{ toSign: Map<string, DueChecklist[]>; toRevoke: Map<number, RevokedChecklist[]> }> {
  const toSign = await change.rows<DueChecklist>(sql`
    select account_name, checklist_id::text, resources, file_names, file_hashes, ends_at from rpki_checklist
    where account_name = any(${accountNames}::text[]) and content is null and revoked_at is null and ends_at > ${change.now}::timestamptz
    order by checklist_id`);
  const toRevoke = await change.rows<RevokedChecklist>(sql`
    select c.key_id, c.serial from rpki_checklist c join rpki_certificate x on x.key_id = c.key_id and x.serial = c.serial
    where c.account_name = any(${accountNames}::text[]) and c.revoked_at is not null and x.revoked_at is null`);
  return { toSign: Map.groupBy(toSign, ({ accountName }) => accountName), toRevoke: Map.groupBy(toRevoke, ({ keyId }) => keyId) };
}

/** Stores signed checklists. @param signed each with the key that signed it */
export async function storeChecklists(change: Change, signed: readonly { keyId: number; product: Product }[]): Promise<void> {
  for (const { keyId, product } of signed)
    await change.rows(sql`update rpki_checklist set key_id = ${keyId}, serial = ${product.serial}, content = ${Buffer.from(product.content)},
      ends_at = ${product.notAfter.toISOString()}::timestamptz where checklist_id = ${product.subject}::bigint`);
}
