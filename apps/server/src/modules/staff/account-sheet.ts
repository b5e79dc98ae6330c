import type { AccountSheet, desk } from '@portal/contract/staff/desk';
import { sql } from 'kysely';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { accountForStaff, countContacts, ownersOf } from '../accounts/index.ts';
import { latestActivities } from '../activity-log/index.ts';
import { registrationOf } from '../organisations/index.ts';
import { getSummary } from '../resources/index.ts';
import { earlierMarksOf, marksOf } from './risk-marks.ts';
import { openRequestsOf } from './requests.ts';
import { hasFactor, hasPasswordAlone, lastSignInOf } from '../identity/index.ts';

const MAX_CONTACTS = 100;
const MAX_ASKING = 20;
const LATEST = 8;

/** One account on one screen. @throws Failure NOT_FOUND */
export async function getAccountSheet({
  read,
  caller,
  params: { accountName },
  registry,
}: Act<typeof desk.getAccountSheet>): Promise<AccountSheet> {
  const account = await accountForStaff(read, accountName, caller, registry);
  if (!account) throw refuse('NOT_FOUND', { what: `Account ${accountName}` });
  // Who is of the account is shown its log as its members are, and no marks.
  const isOfAccount = (await ownersOf(read, [accountName], registry.now.toISOString())).includes(caller.loginId);
  const looking = { ...account, asStaff: !isOfAccount, contactId: null, permissions: new Set(account.permissions) };
  const [organisation, contacts, asking, counted, summary, requests, activities, marks, earlierMarks] = await Promise.all([
    registrationOf(read, accountName),
    read.rows<AccountSheet['contacts'][number]>(sql`
      select c.contact_id::text, c.full_name, c.email, c.phone, c.contact_types, c.status, c.login_id is not null as has_login,
        ${hasFactor(sql`c.login_id`)} as has_second_factor, exists (select from login_passkey k where k.login_id = c.login_id) as has_passkey,
        'voting-vote' = any (c.permissions) as votes,
        ${hasPasswordAlone(sql`c.login_id`, registry.config)} as password_alone,
        (select l.created_at from login l where l.login_id = c.login_id) as login_since, ${lastSignInOf(sql`c.login_id`)} as last_sign_in_at
      from contact c where c.account_name = ${accountName} and c.status <> 'removed'
      order by not 'corporate' = any (c.contact_types), lower(c.full_name), c.contact_id limit ${MAX_CONTACTS}`),
    read.rows<AccountSheet['asking'][number]>(sql`
      select q.access_request_id::text as request_id, coalesce(q.full_name, l.full_name) as name, q.contact_types, q.requested_at as asked_at
      from access_request q join login l using (login_id)
      where q.account_name = ${accountName} and q.status = 'pending' and q.kind in ('link', 'add-contact') order by q.access_request_id limit ${MAX_ASKING}`),
    countContacts(read, accountName, caller.loginId),
    getSummary({ read, account: { accountName } }),
    openRequestsOf(read, accountName, caller, registry),
    latestActivities(read, looking, LATEST, registry),
    isOfAccount ? null : marksOf(read, accountName, registry),
    isOfAccount ? null : earlierMarksOf(read, accountName, registry),
  ]);
  return {
    account,
    ...organisation,
    contacts,
    asking,
    contactCount: counted.contacts,
    resources: summary.totals.map(({ kind, delegations, size, used }) => ({ kind, delegations, size, used })),
    requests,
    activities,
    at: registry.now.toISOString(),
    today: registry.today,
    marks,
    earlierMarks,
    own: counted.own,
  };
}
