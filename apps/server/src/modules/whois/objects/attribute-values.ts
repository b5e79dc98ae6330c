import type { AnswerOf } from '@portal/contract';
import type { whoisAttributeValues } from '@portal/contract/whois/attribute-values';
import { sql } from 'kysely';
import { objectsOfAccount } from './object-list.ts';
import type { Act } from '../../../platform/http/endpoints.ts';

/** Number of suggested values; any other value can be typed. */
const MAX = 100;

/** Returns the values of an attribute over all objects of an account, in the spelling by which objects are found. */
export async function listAttributeValues({
  read,
  account: { accountName },
  query: { attribute },
}: Act<typeof whoisAttributeValues.listAttributeValues>): Promise<AnswerOf<typeof whoisAttributeValues.listAttributeValues>> {
  const rows = await read.rows<{ value: string; objects: number }>(sql`
    select r.value, count(distinct r.object_id)::int as objects from whois_reference r
    where r.object_id in (${objectsOfAccount(accountName)}) and r.attribute = ${attribute}
    group by r.value order by 2 desc, 1 limit ${MAX}`);
  return { rows };
}
