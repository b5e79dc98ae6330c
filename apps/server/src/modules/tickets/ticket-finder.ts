import { holdsOneOf } from '@portal/contract';
import type { SearchHit } from '@portal/contract/search/search';
import { sql } from 'kysely';
import type { Find, FindEverywhere } from '../../platform/module.ts';
import { visibleTickets } from './ticket-access.ts';
import { filterOf } from './tickets.ts';

const note = sql`case t.state when 'stalled' then 'waiting for the member' when 'resolved' then 'solved' when 'rejected' then 'closed' else 'with the registry' end`;

/** Tickets of the account that the caller may see, by number, subject, person or what they are about. */
export const findTickets: Find = async ({ read, caller, account, text, most }) => {
  if (account.asStaff && !holdsOneOf(caller.staffPermissions, ['support'], true)) return [];
  return read.rows<SearchHit>(sql`select 'tickets' as section, t.ticket_id || ' ' || t.subject as text, ${note} as note,
    '/contact/' || t.queue || '/ticket/' || t.ticket_id as link, null as kind
    from ticket t where ${visibleTickets(caller, account)} and ${filterOf({ state: 'all', q: text })} order by t.updated_at desc limit ${most}`);
};

/** Tickets of all members. */
export const findTicketsEverywhere: FindEverywhere = {
  permissions: ['support'],
  find: ({ read, text, most }) =>
    read.rows<SearchHit>(sql`select 'tickets' as section, t.ticket_id || ' ' || t.subject as text, ${note} as note,
    '/desk/tickets?ticket=' || t.ticket_id as link, null as kind
    from ticket t where ${filterOf({ state: 'all', q: text })} order by t.updated_at desc limit ${most}`),
};
