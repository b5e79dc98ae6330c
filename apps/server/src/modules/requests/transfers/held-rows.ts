import type { HeldObject } from '@portal/contract/requests/requests';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';

/** Lists the temporarily held objects of a case. */
export const heldOf = (read: Pick<Read, 'rows'>, id: number): Promise<HeldObject[]> =>
  read.rows<HeldObject>(sql`select held_object_id::text as held_id, what, name, ends_on::text,
    case when kept_at is not null then 'kept' when ended_at is not null then 'ended' else 'held' end as state
    from held_object where resource_request_id = ${id} order by held_object_id`);
