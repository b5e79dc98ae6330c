import type { AnswerOf } from '@portal/contract';
import type { whoisSharedHandles } from '@portal/contract/whois/shared-handles';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { inHandleSpace } from '../store/handle-space.ts';
import type { StoredObject } from '../store/update.ts';
import { listOf, objectOfRow } from '../store/object-facts.ts';
import { nameOf } from './object-list.ts';

const MOST = 200;

/** Lists handles that name several objects, for registry staff: pairs from before `whois_object_one_handle`, which end when one is deleted. */
export async function listSharedHandles({ read }: { read: Read }): Promise<AnswerOf<typeof whoisSharedHandles.listSharedHandles>> {
  const rows = await read.rows<StoredObject & { referrers: number }>(sql`select o.*,
      (select count(distinct r.object_id)::int from whois_reference r where r.value = o.key) as referrers
    from (select distinct key from whois_object where handle_shared order by key limit ${MOST}) shared
    join whois_object o on o.key = shared.key and ${inHandleSpace(sql`o.class`)} order by o.key, o.object_id`);
  const [counted] = await read.rows<{ total: number }>(sql`select count(distinct key)::int as total from whois_object where handle_shared`);
  return {
    total: counted!.total,
    rows: [...Map.groupBy(rows, ({ key }) => key).values()].map(both => ({
      handle: both[0]!.shown,
      objects: both.map(row => ({
        class: row.class,
        shown: row.shown,
        name: nameOf(objectOfRow(row)),
        maintainers: listOf(objectOfRow(row), 'mnt-by'),
        changedAt: row.changedAt,
      })),
      referrers: both[0]!.referrers,
    })),
  };
}
