import { createHmac, timingSafeEqual } from 'node:crypto';
import { type BrandValueName, brandPreviewCookie, brandPreviewMinutes } from '@portal/contract/brand/brand-values';
import { MINUTE_MS } from '@portal/contract/days';
import { isRowId } from '@portal/contract/row-ids';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { derivedKeys, type Secrets } from '../../platform/secret-box.ts';

const PURPOSE = 'preview of the brand';
const signatureOf = (key: Buffer, signed: string): Buffer => createHmac('sha256', key).update(signed).digest();

/** Returns the value of the cookie of a preview: a change, until when, and our signature. It is a cookie, so that no link shows others what two people have not agreed on. */
export function previewCode(secrets: Secrets, changeId: string, now: Date): string {
  const signed = `${changeId}.${now.getTime() + brandPreviewMinutes * MINUTE_MS}`;
  return `${signed}.${signatureOf(derivedKeys(secrets, PURPOSE)[0], signed).toString('base64url')}`;
}

/** Returns the change that a code is for; null if it isn't ours, or over. */
export function readPreviewCode(secrets: Secrets, code: string, now: Date): string | null {
  const [changeId = '', until = '', signature = ''] = code.split('.');
  const given = Buffer.from(signature, 'base64url');
  const isOurs = derivedKeys(secrets, PURPOSE).some(key => {
    const expected = signatureOf(key, `${changeId}.${until}`);
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
  return isOurs && Number(until) > now.getTime() && isRowId(changeId) ? changeId : null;
}

const cookie = new RegExp(`(?:^|;\\s*)${brandPreviewCookie}=([\\w.-]{1,200})(?:;|$)`);

/** Values of the prepared change that a browser previews; null where it previews none. */
export async function previewOf(
  cookies: string,
  { read, secrets, now }: { read: Pick<Read, 'rows'>; secrets: Secrets; now: Date },
): Promise<{ name: BrandValueName; value: string }[] | null> {
  const code = cookie.exec(cookies)?.[1];
  const changeId = code === undefined ? null : readPreviewCode(secrets, code, now);
  if (changeId === null) return null;
  const rows = await read.rows<{ name: BrandValueName; value: string }>(sql`
    select v.key as name, v.value ->> 'after' as value from brand_change c cross join lateral jsonb_each(c.changed) v
    where c.brand_change_id = ${Number(changeId)} and c.ended_at is null and (c.begins_at is null or c.begins_at > ${now.toISOString()}::timestamptz)`);
  return rows.length === 0 ? null : rows;
}
