import { daysAfter } from '@portal/contract/days';
import { emptyForm } from '@portal/contract/requests/request-form';
import { containsResource, parseResource, resourceSetOf } from '@portal/number-resources';
import { sql } from 'kysely';
import { dayInWords } from '../../platform/attention.ts';
import { type Change, type Database, ownActivity, type Read } from '../../platform/database/index.ts';
import { eachAlone } from '../../platform/each-alone.ts';
import type { Profile } from '../../profile.ts';
import { eventSpaceEndingBy, lockLedger, lockParts } from '../resources/index.ts';
import { todayOf } from './account-facts.ts';
import { notifyParty } from './request-notices.ts';
import { type Row, recordEvent, referenceOf, requestById, requestRows } from './request-row.ts';
import { requestsTexts } from './mail-texts.ts';

/** Days before the last day of an event on which its holder is reminded. */
export const NOTICE_DAYS = 14;

/**
 * Ends delegations for events: the holder is reminded two weeks before the last day, and on the day after it the registry opens a return, which two
 * people confirm like any other. Each is its own change.
 */
export async function endEventSpace(db: Database, now: Date, profile: Profile): Promise<void> {
  const today = todayOf(profile, now);
  await eachAlone(
    await eventSpaceEndingBy(db.read, daysAfter(today, NOTICE_DAYS)),
    ({ resource, accountName }) => `${resource} of ${accountName}`,
    async ({ delegationId, accountName, resource, endsOn }) => {
      const request = await grantingRequest(db.read, accountName, resource);
      if (!request) return;
      if (endsOn < today)
        await db.change(ownActivity('requests.openReturn', 'Opened the return of space for an event', accountName), async change => {
          await lockLedger(change);
          const open = (await eventSpaceEndingBy(change, today)).some(block => block.delegationId === delegationId);
          if (open) await openReturn(change, { request, resource, endsOn });
        });
      else if (request.reminders === 0)
        await db.change(ownActivity('requests.remindOfEventSpace', 'Sent a reminder of space for an event', accountName), async change => {
          const reminded = await change.rows(
            sql`update resource_request set reminders = 1 where resource_request_id = ${request.id} and reminders = 0 returning 1`,
          );
          if (reminded.length === 0) return;
          await change.note({ request: referenceOf(request.id), resources: [resource] });
          await notifyParty(change, request, accountName, {
            text: requestsTexts.written('eventSpaceEnds', {
              resource,
              endsOn: dayInWords(endsOn),
              outcome: isAsn(resource) ? 'using' : 'announcing',
              resource2: goneOf(resource),
            }),
          });
        });
    },
  );
}

/** The completed request that event space came from. */
export async function grantingRequest(read: Pick<Read, 'rows'>, accountName: string, resource: string): Promise<Row | null> {
  const given = await requestRows(
    read,
    sql`r.account_name = ${accountName} and r.kind in ('ipv4', 'ipv6', 'asn') and r.state = 'completed' and r.form ->> 'path' = 'temporary' order by r.resource_request_id desc`,
  );
  return (
    given.find(({ outcome }) => containsResource(resourceSetOf((outcome?.resources ?? []).map(parseResource)), parseResource(resource))) ??
    null
  );
}

export const isAsn = (resource: string): boolean => resource.startsWith('AS');
const goneOf = (resource: string): string =>
  isAsn(resource) ? 'its whois objects and its ROAs' : 'its whois objects, reverse DNS and ROAs';

async function openReturn(
  change: Change,
  { request, resource, endsOn }: { request: Row; resource: string; endsOn: string },
): Promise<void> {
  const { accountName, requestedBy } = request;
  const { resourceRequestId } = await change
    .insertInto('resourceRequest')
    .values({
      accountName,
      kind: 'return',
      state: 'submitted',
      form: JSON.stringify({
        ...emptyForm,
        resources: [resource],
        startsOn: endsOn,
        reason: `Delegated for an event by ${referenceOf(request.id)}, until ${dayInWords(endsOn)}.`,
      }),
      requestedBy,
      startedAt: change.now,
      submittedAt: change.now,
      since: change.now,
    })
    .returning('resourceRequestId')
    .executeTakeFirstOrThrow();
  const part = { reference: referenceOf(resourceRequestId), accountName, act: 'return' as const, fixed: true };
  await lockParts(change, part, [parseResource(resource)]);
  await recordEvent(change, resourceRequestId, 'submitted', { byStaff: true, words: `The event ended on ${dayInWords(endsOn)}` });
  await change.note({ request: referenceOf(resourceRequestId), resources: [resource] });
  const row = (await requestById(change, resourceRequestId))!;
  await notifyParty(change, row, accountName, {
    text: requestsTexts.written('returnStarted', {
      resource,
      endsOn: dayInWords(endsOn),
      resource2: goneOf(resource),
      outcome: isAsn(resource) ? 'used' : 'announced',
    }),
  });
}
