import { containsResource, type NumberResource, parseResource, resourceSetOf } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';

/** A delegation for an event, with its last day. */
type EventSpace = { delegationId: number; accountName: string; resource: string; endsOn: string };

/** Lists what was delegated for events whose last day is on this day or before, and that is not being returned yet, soonest first. @param day YYYY-MM-DD */
export const eventSpaceEndingBy = (read: Pick<Read, 'rows'>, day: string): Promise<EventSpace[]> =>
  read.rows<EventSpace>(sql`select delegation_id, account_name, resource, ends_on::text from delegation
    where ends_on <= ${day}::date and status = 'active' order by ends_on, delegation_id`);

/** Returns the delegation for an event that ended before this day and holds one of these resources; null without any. @param day YYYY-MM-DD */
export async function endedEventSpace(
  read: Pick<Read, 'rows'>,
  accountName: string,
  resources: readonly NumberResource[],
  day: string,
): Promise<Pick<EventSpace, 'resource' | 'endsOn'> | null> {
  const ended = await read.rows<Pick<EventSpace, 'resource' | 'endsOn'>>(sql`select resource, ends_on::text from delegation
    where account_name = ${accountName} and ends_on < ${day}::date and status <> 'closed' order by ends_on, delegation_id`);
  return ended.find(each => resources.some(one => containsResource(resourceSetOf([parseResource(each.resource)]), one))) ?? null;
}
