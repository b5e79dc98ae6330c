import { daysAfter, monthsAfter } from '@portal/contract/days';
import type { eventSpace, EventSpaceList } from '@portal/contract/requests/event-space';
import { containsResource, parseResource, resourceSetOf } from '@portal/number-resources';
import { sql } from 'kysely';
import { dayInWords } from '../../platform/attention.ts';
import type { Read } from '../../platform/database/index.ts';
import { refuse, refuseField, refuseWithCurrent } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { PolicyNow, Registry } from '../../platform/registry.ts';
import { findAccount, refuseOwnAccount } from '../accounts/index.ts';
import { eventSpaceOf, findEventSpace, type HeldEventSpace, lockLedger, setLastDay } from '../resources/index.ts';
import { todayOf } from './account-facts.ts';
import { endRequest } from './drafts.ts';
import { grantingRequest, isAsn, NOTICE_DAYS } from './event-space.ts';
import { notifyParty } from './request-notices.ts';
import { isOpen, lockRequest, type Row, recordEvent, referenceOf, requestById, requestRows } from './request-row.ts';
import { requestsTexts } from './mail-texts.ts';

const what = { what: 'The space' };

/** Lists what an account holds for events, with the open returns. @throws Failure NOT_FOUND */
export async function listEventSpace({
  read,
  params: { accountName },
  registry,
}: {
  read: Read;
  params: { accountName: string };
  registry: PolicyNow;
}): Promise<EventSpaceList> {
  if (!(await findAccount(read, accountName))) throw refuse('NOT_FOUND', { what: 'The account' });
  const today = todayOf(registry.profile, registry.now);
  const spaces = await eventSpaceOf(read, accountName);
  const rows: EventSpaceList['rows'] = [];
  for (const space of spaces) {
    const found = await openReturnOf(read, space);
    rows.push({
      delegationId: String(space.delegationId),
      resource: space.resource,
      endsOn: space.endsOn,
      over: space.endsOn < today,
      openReturn: found && { requestId: String(found.id), reference: referenceOf(found.id) },
    });
  }
  return { rows, earliest: today, latest: monthsAfter(today, registry.profile.requestPolicy.temporaryMonths) };
}

/** The open return of space for an event, or null. */
async function openReturnOf(read: Pick<Read, 'rows'>, { accountName, resource, returning }: HeldEventSpace): Promise<Row | null> {
  if (!returning) return null;
  const lent = resourceSetOf([parseResource(resource)]);
  const returns = await requestRows(
    read,
    sql`r.account_name = ${accountName} and r.kind = 'return' and r.submitted_at is not null
    and r.resolved_at is null order by r.resource_request_id`,
  );
  return returns.find(({ form }) => form.resources.some(each => containsResource(lent, parseResource(each)))) ?? null;
}

/**
 * Sets a later last day, because the event goes on. A return opened by the registry is rejected with the reason; one sent by the member before the
 * last day has to be decided first. The holder gets a message, and is reminded again before the new day.
 * @throws Failure NOT_FOUND, OWN_REQUEST, STALE with the present list, INVALID_REQUEST
 */
export async function extendEventSpace({
  change,
  caller,
  params: { delegationId },
  body: { endsOn, until, reason },
  registry,
}: Act<typeof eventSpace.extendEventSpace>): Promise<EventSpaceList> {
  const found = await findEventSpace(change, delegationId);
  if (!found) throw refuse('NOT_FOUND', what);
  await refuseOwnAccount(change, found.accountName, caller);
  const opened = await openReturnOf(change, found);
  // Same lock order as decisions: first the case, then the ledger.
  if (opened) await lockRequest(change, opened.id);
  await lockLedger(change);
  const space = await findEventSpace(change, delegationId);
  if (!space) throw refuse('NOT_FOUND', what);
  const row = opened && (await requestById(change, opened.id))!;
  if (space.endsOn !== endsOn || (await openReturnOf(change, space))?.id !== (row && isOpen(row) ? row.id : undefined))
    throw refuseWithCurrent(
      await listEventSpace({ read: change, params: { accountName: space.accountName }, registry: registry }),
      'STALE',
      { what: 'the last day' },
    );
  const today = todayOf(registry.profile, registry.now);
  refuseDay(until, endsOn, today, registry);
  if (row && endsOn >= today)
    throw refuseField('until', `The member returns it early with ${referenceOf(row.id)}. Reject that request first if the event goes on`);
  const granted = await grantingRequest(change, space.accountName, space.resource);
  if (!granted) throw refuse('NOT_FOUND', what);
  if (row) await endRequest(change, row, 'rejected', registry, { by: caller.loginId, byStaff: true, words: reason, note: reason });
  await setLastDay(change, space.delegationId, until);
  // If the new day is near, this message is the reminder.
  const reminders = until <= daysAfter(today, NOTICE_DAYS) ? 1 : 0;
  await change.rows(sql`update resource_request set reminders = ${reminders} where resource_request_id = ${granted.id}`);
  const words = `The last day of ${space.resource} is now ${dayInWords(until)} instead of ${dayInWords(endsOn)}. ${reason}`;
  await recordEvent(change, granted.id, 'message', { by: caller.loginId, byStaff: true, accountName: space.accountName, words });
  await change.concerns(space.accountName);
  await change.note({ request: referenceOf(granted.id), resources: [space.resource], reason });
  await notifyParty(change, granted, space.accountName, {
    text: requestsTexts.written('nowEnds', {
      resource: space.resource,
      until: dayInWords(until),
      endsOn: dayInWords(endsOn),
      reason,
      itsReturnWas: row
        ? `Its return ${referenceOf(row.id)} was closed, so you can go on ${isAsn(space.resource) ? 'using' : 'announcing'} it.`
        : '',
    }),
  });
  return listEventSpace({ read: change, params: { accountName: space.accountName }, registry: registry });
}

/** @throws Failure INVALID_REQUEST */
function refuseDay(until: string, endsOn: string, today: string, { profile }: Pick<Registry, 'profile'>): void {
  const latest = monthsAfter(today, profile.requestPolicy.temporaryMonths);
  if (until <= endsOn) throw refuseField('until', `Enter a day after ${dayInWords(endsOn)}, the last day so far`);
  if (until < today) throw refuseField('until', `Enter today or a later day, such as ${today}`);
  if (until > latest) throw refuseField('until', `Enter a day until ${dayInWords(latest)}. Space for an event isn’t lent for longer`);
}
