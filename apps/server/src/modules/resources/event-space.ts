import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';

/** Space that was delegated for an event, with its last day. */
type EventSpace = { delegationId: number; accountName: string; resource: string; endsOn: string };

/** Lists space for events whose last day is on this day or before, and that is not being returned yet, soonest first. @param day YYYY-MM-DD */
export const eventSpaceEndingBy = (read: Pick<Read, 'rows'>, day: string): Promise<EventSpace[]> =>
  read.rows<EventSpace>(sql`select delegation_id, account_name, resource, ends_on::text from delegation
    where ends_on <= ${day}::date and status = 'active' order by ends_on, delegation_id`);
