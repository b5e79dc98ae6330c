import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Registry } from '../../platform/registry.ts';
import { ownersOf } from '../accounts/index.ts';
import { isOfSecondRole, rolesOf } from './case-permissions.ts';
import { ofSide, rowsWhere, secondPersonsAt } from './proposals.ts';

/** An act of registry staff that waits for a second person and is decided on a page of the desk. */
export type WaitingOnPage = {
  link: string;
  proposedBy: string;
  isMine: boolean;
  /** The reader can be the second person, by what is known without trying it. */
  mayConfirm: boolean;
};

/** Lists the acts of registry staff that wait for a second person and are decided on pages below a path. @param path without a wildcard */
export async function waitingBelow(
  read: Pick<Read, 'rows'>,
  path: string,
  { loginId, staffPermissions }: Pick<Caller, 'loginId' | 'staffPermissions'>,
  registry: Pick<Registry, 'now' | 'profile' | 'modules'>,
): Promise<WaitingOnPage[]> {
  const now = registry.now.toISOString();
  const rows = await read.rows(
    rowsWhere(
      sql`${ofSide('staff')} and p.state = 'pending' and p.expires_at > ${now}::timestamptz and starts_with(p.link, ${path}) order by p.proposal_id`,
    ),
  );
  if (rows.length === 0) return [];
  const persons = await secondPersonsAt(read, now, registry);
  return Promise.all(
    rows.map(async row => {
      const isMine = row.proposedBy === loginId;
      const roles = await rolesOf(read, registry.modules, row);
      const mayConfirm =
        !isMine &&
        isOfSecondRole(staffPermissions, roles) &&
        persons.tooNew(row.proposedBy, loginId, roles) === null &&
        !(row.about !== null && (await ownersOf(read, [row.about], now)).includes(loginId));
      return { link: row.link!, proposedBy: row.proposer, isMine, mayConfirm };
    }),
  );
}
