import { DAY_MS } from '@portal/contract/days';
import { partsOf, type StaffEvent, type UpcomingEvent } from '@portal/contract/events/event-shapes';
import type { events } from '@portal/contract/events/events';
import { sql } from 'kysely';
import { tooMany } from '../../platform/counted-limit.ts';
import type { Change } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act, CaseAct } from '../../platform/http/endpoints.ts';
import { listAttendee, unlistAttendee } from '../elections/index.ts';
import { loginById, notifyPeople } from '../identity/index.ts';
import { memberOf } from '../tickets/index.ts';
import type { RegistrationRow } from './cases.ts';
import { lockEvent, noEvent } from './event-row.ts';
import { upcomingEvent } from './upcoming.ts';
import { eventsTexts } from './mail-texts.ts';
import { type MailText, withWords } from '../mail/index.ts';

/** Registrations of one person for one event, those they cancelled included. */
const MAX_TRIES = 10;
const none = '0.00';

type Person = { loginId: string; fullName: string; email: string };

/** Notifies a person about their registration. */
export const notifyRegistrant = (
  change: Change,
  { event, title }: Pick<StaffEvent, 'event' | 'title'>,
  person: Person,
  text: MailText<'eventTitle'>,
): Promise<void> =>
  notifyPeople(
    change,
    {
      topic: 'events.registrations',
      accountName: null,
      text: withWords(text, { eventTitle: title }, 250),
      path: `/events/upcoming-events?event=${event}`,
      act: 'View the event',
    },
    [person],
  );

const whenAndWhere = ({ startsAt, timeZone, place, mode }: StaffEvent): string => {
  const at = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23' }).format(
    new Date(startsAt),
  );
  return `It starts on ${at} (${timeZone})${mode === 'online' || place === '' ? '' : `, ${place}`}.`;
};

/** The fee of a place on site: the first of an account is free. Call it with the event locked. */
async function placeFor(change: Change, event: StaffEvent, account: string | null): Promise<{ fee: string; isFreePlace: boolean }> {
  if (Number(event.fee) === 0) return { fee: none, isFreePlace: false };
  if (account === null) return { fee: event.fee, isFreePlace: false };
  const [taken] = await change.rows(sql`select 1 from event_registration where event = ${event.event} and account_name = ${account}
    and is_free_place and state = 'registered'`);
  return taken ? { fee: event.fee, isFreePlace: false } : { fee: none, isFreePlace: true };
}

const feeInWords = ({ currency }: StaffEvent, fee: string): string[] =>
  Number(fee) === 0 ? [] : [`The fee is ${currency} ${fee}. The registry sends an invoice.`];

/**
 * Registers a person. On site they get a free place, or wait for the next one.
 * @throws Failure NOT_FOUND, ACCOUNT_NOT_FOUND, SECOND_FACTOR_DEMANDED, REGISTRATION_CLOSED, ALREADY_REGISTERED, TOO_MANY_REQUESTS
 */
export async function registerForEvent({
  change,
  caller,
  params: { event: name },
  body: { part, account },
}: Act<typeof events.registerForEvent>): Promise<UpcomingEvent> {
  const now = new Date(change.now);
  if (account !== null) {
    await memberOf(change, caller, account, now);
    await change.concerns(account);
  }
  const event = await lockEvent(change, name);
  if (event.state === 'draft') throw noEvent();
  if (event.state === 'cancelled') throw refuse('REGISTRATION_CLOSED', { why: 'it is cancelled' });
  if (now.getTime() < Date.parse(event.registrationOpensAt)) throw refuse('REGISTRATION_CLOSED', { why: 'registration hasn’t opened yet' });
  if (now.getTime() >= Date.parse(event.registrationClosesAt)) throw refuse('REGISTRATION_CLOSED', { why: 'registration is closed' });
  if (!partsOf(event.mode).includes(part))
    throw refuse('REGISTRATION_CLOSED', { why: part === 'online' ? 'it can’t be attended online' : 'it takes place online only' });
  const tries = await change
    .selectFrom('eventRegistration')
    .select('state')
    .where('event', '=', name)
    .where('loginId', '=', caller.loginId)
    .execute();
  if (tries.some(({ state }) => state !== 'cancelled')) throw refuse('ALREADY_REGISTERED');
  if (tries.length >= MAX_TRIES) throw tooMany(DAY_MS / 1000);
  const person = (await loginById(change, caller.loginId))!;
  const full = part === 'onsite' && event.capacity !== null && (event.onSite >= event.capacity || event.waiting > 0);
  const { fee, isFreePlace } = part === 'online' || full ? { fee: none, isFreePlace: false } : await placeFor(change, event, account);
  await change
    .insertInto('eventRegistration')
    .values({
      event: name,
      loginId: caller.loginId,
      accountName: account,
      fullName: person.fullName,
      email: person.email,
      part,
      state: full ? 'waitlisted' : 'registered',
      fee,
      isFreePlace,
      registeredAt: change.now,
    })
    .execute();
  if (!full) await listAttendee(change, name, person);
  await change.note({ event: event.title, part, waiting: full });
  await notifyRegistrant(
    change,
    event,
    person,
    full
      ? eventsTexts.written('waitingList', { whenAndWhere: whenAndWhere(event) })
      : eventsTexts.written('registered', { whenAndWhere: whenAndWhere(event), details: feeInWords(event, fee).join('\n\n') }),
  );
  return (await upcomingEvent(change, caller, account, name, now))!;
}

/** Gives free places on site to the longest waiting. Call it with the event locked. */
export async function fillPlaces(change: Change, name: string): Promise<number> {
  let filled = 0;
  for (;;) {
    const event = await lockEvent(change, name);
    if (event.state !== 'published' || event.waiting === 0 || Date.parse(event.endsAt) <= Date.parse(change.now)) return filled;
    if (event.capacity !== null && event.onSite >= event.capacity) return filled;
    const [next] = await change.rows<Person & { eventRegistrationId: string; accountName: string | null }>(sql`
      select event_registration_id::text as event_registration_id, login_id, full_name, email, account_name from event_registration
      where event = ${name} and state = 'waitlisted' order by event_registration_id limit 1`);
    const { fee, isFreePlace } = await placeFor(change, event, next!.accountName);
    await change
      .updateTable('eventRegistration')
      .set({ state: 'registered', fee, isFreePlace })
      .where('eventRegistrationId', '=', Number(next!.eventRegistrationId))
      .execute();
    await listAttendee(change, name, next!);
    await notifyRegistrant(
      change,
      event,
      next!,
      eventsTexts.written('placeBecameFreeItsYours', {
        whenAndWhere: whenAndWhere(event),
        details: feeInWords(event, fee).join('\n\n'),
      }),
    );
    filled += 1;
  }
}

/** Cancels a person's registration, until the event ends. */
export async function cancelRegistration({
  change,
  caller,
  row: { event, registrationId, accountName },
  params: { event: name },
}: CaseAct<typeof events.cancelRegistration, RegistrationRow>): Promise<UpcomingEvent> {
  const own = await change
    .updateTable('eventRegistration')
    .set({ state: 'cancelled', cancelledAt: change.now, isFreePlace: false })
    .where('eventRegistrationId', '=', registrationId)
    .returning(['loginId', 'fullName', 'email'])
    .executeTakeFirstOrThrow();
  await unlistAttendee(change, name, caller.loginId);
  if (accountName !== null) await change.concerns(accountName);
  await change.note({ event: event.title });
  await notifyRegistrant(change, event, own, eventsTexts.written('registrationCancelled', {}));
  await fillPlaces(change, name);
  return (await upcomingEvent(change, caller, null, name, new Date(change.now)))!;
}

/** Cancels what a person is registered for and hasn’t ended; free places go to the longest waiting. Mails nothing to the person. */
export async function endRegistrations(change: Change, loginId: string): Promise<void> {
  const ended = await change.rows<{ event: string }>(sql`
    update event_registration r set state = 'cancelled', cancelled_at = ${change.now}::timestamptz, is_free_place = false from event e
    where e.event = r.event and r.login_id = ${loginId} and r.state <> 'cancelled' and e.ends_at > ${change.now}::timestamptz returning r.event`);
  for (const { event } of ended.sort((a, b) => (a.event < b.event ? -1 : 1))) {
    await unlistAttendee(change, event, loginId);
    await fillPlaces(change, event);
  }
}
