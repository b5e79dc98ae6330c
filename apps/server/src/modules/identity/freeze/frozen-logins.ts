import { holdsOneOf, type StaffPermission } from '@portal/contract';
import { type FrozenLogin, frozenLogins } from '@portal/contract/identity/frozen-logins';
import { sql } from 'kysely';
import type { Config } from '../../../config.ts';
import type { Read } from '../../../platform/database/index.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { implement } from '../../../platform/http/endpoints.ts';
import { refuse } from '../../../platform/failure.ts';
import { openAccountNames } from '../../accounts/index.ts';
import { unfreezeLogin } from './freeze.ts';
import { findLogin, type Login } from '../logins/logins.ts';

/** More than there ever are. */
const MAX_LISTED = 200;

/** Who looks after a frozen login: of registry staff those who administer it, who could otherwise be locked out or let in by anyone who answers tickets; of members those who answer tickets. */
const looksAfter = ({ staff }: Pick<Login, 'staff'>): StaffPermission => (staff ? 'staff' : 'support');

/** The login decides who unfreezes it, for both people. */
export const frozenLoginPermissions = {
  calls: [frozenLogins.unfreezeLogin.id],
  of: async (read: Pick<Read, 'rows'>, params: unknown): Promise<readonly StaffPermission[] | null> => {
    const { username } = params as { username: string };
    const [login] = await read.rows<{ staff: boolean }>(sql`select staff from login where username = ${username.toLowerCase()}`);
    return login ? [looksAfter(login)] : null;
  },
};

/** Frozen logins that the caller looks after, or audits, with the e-mail whose link did it: of the links of a login the one that was used when it was frozen. */
const listFrozenLogins = async (read: Read, held: Caller['staffPermissions']): Promise<{ rows: FrozenLogin[] }> => ({
  rows: await read.rows<FrozenLogin>(sql`
    select l.username, l.full_name, l.email, l.staff, l.frozen_at, l.frozen_email,
      (select jsonb_build_object('subject', (select m.subject from mail m where m.freeze_link_id = f.freeze_link_id limit 1), 'mailedTo', f.mailed_to,
          'at', to_char(f.made_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'accountName', f.account_name)
        from freeze_link f where f.login_id = l.login_id and f.used_at = l.frozen_at limit 1) as notice,
      ${openAccountNames(sql`l.login_id`)} as accounts
    from login l where l.frozen_at is not null and l.disabled_at is null
      and ((l.staff and ${holdsOneOf(held, ['staff'], true)}) or (not l.staff and ${holdsOneOf(held, ['support'], true)})) order by l.frozen_at, l.username limit ${MAX_LISTED}`),
});

/** Handlers of registry staff's calls about frozen logins. */
export const frozenLoginRoutes = (config: Config) =>
  implement(frozenLogins, {
    listFrozenLogins: ({ read, caller }) => listFrozenLogins(read, caller.staffPermissions),
    unfreezeLogin: async ({ change, params, body: { reason }, caller }) => {
      const login = await findLogin(change, params.username);
      const mayUnfreeze = login && login.loginId !== caller.loginId && holdsOneOf(caller.staffPermissions, [looksAfter(login)], false);
      if (!mayUnfreeze || !(await unfreezeLogin(change, config, login.loginId)))
        throw refuse('NOT_FOUND', { what: 'A frozen login of that name' });
      await change.note({ login: login.username, reason });
    },
  });
