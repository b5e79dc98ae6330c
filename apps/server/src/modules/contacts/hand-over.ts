import type { AnswerOf } from '@portal/contract';
import type { accessReviews, Holdings } from '@portal/contract/contacts/access-reviews';
import { sql } from 'kysely';
import { refuse, refuseField } from '../../platform/failure.ts';
import type { Accepted } from '../../platform/http/accepted.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { lockAccount } from '../accounts/index.ts';
import { actorOf, changeRole, dismiss, removalOf, writeMaintainers } from './contact-changes.ts';
import { getContact } from './contact-list.ts';
import { lockContactAt } from './contact-row.ts';
import { inOrder } from './grants.ts';

/** Returns the access that ends when a contact leaves. @throws Failure NOT_FOUND */
export async function getHoldings({
  read,
  account,
  params: { contactId },
  registry,
}: Act<typeof accessReviews.getHoldings>): Promise<Holdings> {
  const contact = await getContact({ read, account, params: { contactId }, registry });
  const { accountName } = account;
  const [held, openRequests] = await Promise.all([
    read.rows<{ permission: string }>(sql`select distinct unnest(permissions) as permission from contact
      where account_name = ${accountName} and status = 'active' and contact_id <> ${contactId}::uuid`),
    read.rows<Holdings['openRequests'][number]>(sql`select access_request_id::text as request_id, kind, requested_at from access_request
      where requested_by = ${contactId}::uuid and status = 'pending' order by access_request_id`),
  ]);
  const permissions = contact.permissions ?? [];
  return {
    permissions,
    onlyHere: permissions.filter(key => !held.some(({ permission }) => permission === key)),
    maintainers: contact.maintainers ?? [],
    openRequests,
    registryDecides: contact.status === 'active' && contact.contactTypes.includes('corporate'),
  };
}

type Answer = AnswerOf<typeof accessReviews.handOver>;

/**
 * Gives a contact's permissions and maintainers to another one and removes the first, in one change. The removal of a corporate contact waits for the
 * registry; the hand-over itself takes effect immediately.
 * @throws Failure NOT_FOUND, STALE, OWN_PERMISSIONS, INVALID_REQUEST and those of `changeRole` and `dismiss`
 */
export async function handOver({
  change,
  account,
  params: { contactId },
  body: { version, to, permissions, maintainers, reason },
}: Act<typeof accessReviews.handOver>): Promise<Answer | Accepted<Answer>> {
  await lockAccount(change, account.accountName);
  const actor = await actorOf(change, account);
  if (contactId === actor.contactId) throw refuse('OWN_PERMISSIONS');
  const leaver = await lockContactAt(change, account, contactId, version);
  const lacking = {
    permissions: permissions.filter(permission => !leaver.permissions.includes(permission)),
    maintainers: maintainers.filter(maintainer => !leaver.maintainers.includes(maintainer)),
  };
  for (const [field, names] of Object.entries(lacking))
    if (names.length > 0) throw refuseField(field, `${leaver.fullName} doesn’t have ${names.join(', ')}`);
  if (to === null && permissions.length + maintainers.length > 0) throw refuseField('to', 'Choose who takes over');
  if (to !== null) {
    if (to.contactId === contactId) throw refuseField('to', 'Choose another person to take over');
    const heir = await lockContactAt(change, account, to.contactId, to.version);
    if (heir.status !== 'active') throw refuseField('to', `${heir.fullName} isn’t an active contact yet`);
    if (maintainers.length > 0) await writeMaintainers(change, heir, [...new Set([...heir.maintainers, ...maintainers])].sort(), actor);
    // A corporate contact already has everything.
    if (permissions.length > 0 && !heir.contactTypes.includes('corporate')) {
      if (heir.contactId === actor.contactId) throw refuse('OWN_PERMISSIONS');
      await changeRole({
        change,
        account,
        actor,
        contact: heir,
        role: {
          contactTypes: heir.contactTypes,
          permissions: inOrder([...heir.permissions, ...permissions]),
          reason,
        },
      });
    }
    await change.note({ handedOver: { to: heir.fullName, permissions, maintainers } });
  }
  return removalOf(await dismiss(change, actor, leaver, { reason }), leaver.fullName);
}
