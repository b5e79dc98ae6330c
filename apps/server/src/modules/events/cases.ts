import type { StaffEvent } from '@portal/contract/events/event-shapes';
import { sql } from 'kysely';
import { refuse } from '../../platform/failure.ts';
import type { CasesOf } from '../../platform/http/cases.ts';
import { lockEvent, noEvent } from './event-row.ts';

/** Events, moved by registry staff. */
export const eventCases: CasesOf<StaffEvent> = {
  stateOf: ({ state }) => state,
  lock: ({ change, params: { event } }) => lockEvent(change, event!),
  refusal: async ({ state }) => refuse('EVENT_STATE', { state }),
};

/** A person's registration, with its event. */
export type RegistrationRow = {
  event: StaffEvent;
  registrationId: number;
  accountName: string | null;
  state: 'registered' | 'waitlisted' | 'cancelled';
};

/** A person's own registrations, until the event ends. The event is locked, so that its places are assigned one after the other. */
export const registrationCases: CasesOf<RegistrationRow> = {
  stateOf: ({ state }) => state,
  lock: async ({ change, caller, params }) => {
    const event = await lockEvent(change, params['event']!);
    if (event.state === 'draft') throw noEvent();
    if (Date.parse(event.endsAt) <= Date.parse(change.now)) throw refuse('EVENT_STATE', { state: 'over' });
    const [row] = await change.rows<Omit<RegistrationRow, 'event'>>(sql`
      select event_registration_id as registration_id, account_name, state from event_registration
      where event = ${event.event} and login_id = ${caller.loginId} order by state = 'cancelled', event_registration_id desc limit 1`);
    if (!row) throw refuse('NOT_REGISTERED');
    return { ...row, event };
  },
  refusal: async () => refuse('NOT_REGISTERED'),
};

/** A certificate that names an account. */
export type CertificateRow = { code: string; loginId: string; state: 'requested' | 'issued' | 'rejected' };

/** Certificates in the name of an account, decided by its contacts. */
export const certificateCases: CasesOf<CertificateRow> = {
  stateOf: ({ state }) => state,
  lock: async ({ change, account, params }) => {
    const [row] = await change.rows<CertificateRow>(sql`
      select code, login_id, state from event_certificate where code = ${params['code']!} and account_name = ${account!.accountName} for update`);
    if (!row) throw refuse('NOT_FOUND', { what: 'The certificate' });
    return row;
  },
  refusal: async ({ state }) => refuse('CERTIFICATE_DECIDED', { state: state === 'issued' ? 'approved' : 'rejected' }),
};
