import type { ContactType, Permission } from '@portal/contract';
import { helperPermissions } from '@portal/contract/contacts/helper-permissions';
import { DAY_MS } from '@portal/contract/days';
import { refuse, refuseField } from '../../platform/failure.ts';

/** Maximum number of days a helper acts for an account before an extension. */
const MAX_DAYS = 366;

/** The end of a helper's last day: midnight UTC. @throws Failure INVALID_REQUEST */
export function helperEnd(until: string, now: string): string {
  const end = Date.parse(`${until}T00:00:00Z`) + DAY_MS;
  const days = (end - Date.parse(now)) / DAY_MS;
  if (days <= 0) throw refuseField('until', `${until} is over`);
  if (days > MAX_DAYS) throw refuseField('until', 'Helper access lasts at most a year. You can extend it later.');
  return new Date(end).toISOString();
}

/** A helper stays one: no other contact type, and nothing of contacts, billing, membership or votes. @throws Failure PERMISSION_NOT_GRANTABLE, INVALID_REQUEST */
export function checkHelper(contactTypes: readonly ContactType[], permissions: readonly Permission[]): void {
  if (contactTypes.some(type => type !== 'technical'))
    throw refuseField('contactTypes', 'A helper is a technical contact. To give more, send a new invitation.');
  const more = permissions.find(permission => !helperPermissions.includes(permission));
  if (more)
    throw refuse('PERMISSION_NOT_GRANTABLE', { permission: more, reason: 'helpers can only have permissions for resources and whois' });
}
