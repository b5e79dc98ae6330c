import { isRowId } from '@portal/contract/row-ids';
import { containsResource, type NumberResource, parseResource, resourceSetOf } from '@portal/number-resources';
import { type RawBuilder, sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';

/** A delegation for an event, with its last day. */
type EventSpace = { delegationId: number; accountName: string; resource: string; endsOn: string };

/** Lists delegations for events whose last day is this day or earlier and that are not being returned yet, earliest first. @param day YYYY-MM-DD */
export const eventSpaceEndingBy = (read: Pick<Read, 'rows'>, day: string): Promise<EventSpace[]> =>
  read.rows<EventSpace>(sql`select delegation_id, account_name, resource, ends_on::text from delegation
    where ends_on <= ${day}::date and status = 'active' order by ends_on, delegation_id`);

/** A delegation for an event as staff see it; `returning`: its open return. */
export type HeldEventSpace = EventSpace & { returning: boolean };

/** Lists an account's delegations for events, the earliest last day first. */
export const eventSpaceOf = (read: Pick<Read, 'rows'>, accountName: string): Promise<HeldEventSpace[]> =>
  heldEventSpace(read, sql`account_name = ${accountName}`);

/** Returns a delegation for an event; null if it isn't one, or was returned. */
export const findEventSpace = async (read: Pick<Read, 'rows'>, delegationId: string): Promise<HeldEventSpace | null> =>
  isRowId(delegationId) ? ((await heldEventSpace(read, sql`delegation_id = ${delegationId}`))[0] ?? null) : null;

const heldEventSpace = (read: Pick<Read, 'rows'>, where: RawBuilder<unknown>): Promise<HeldEventSpace[]> =>
  read.rows<HeldEventSpace>(sql`select delegation_id, account_name, resource, ends_on::text, status <> 'active' as returning from delegation
    where ends_on is not null and status <> 'closed' and ${where} order by ends_on, delegation_id`);

/** Sets the last day of a delegation for an event. @param day YYYY-MM-DD */
export async function setLastDay(change: Change, delegationId: number, day: string): Promise<void> {
  await change.rows(sql`update delegation set ends_on = ${day}::date where delegation_id = ${delegationId} and status <> 'closed'`);
}

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
