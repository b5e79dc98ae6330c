import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';

/** An authority: the trust anchor, the registry's, or a member's. */
export type Authority = {
  caId: number;
  kind: 'trust-anchor' | 'registry' | 'member';
  /** Of a member. */
  accountName: string | null;
  /** The name of its directory in the repository. */
  handle: string;
  state: 'active' | 'revoked';
  version: number;
  enabledAt: string;
  rolloverRequestedAt: string | null;
  activationRequestedAt: string | null;
};

const columns = sql`ca_id, kind, account_name, handle, state, version, enabled_at, rollover_requested_at, activation_requested_at`;

/** The authority of an account; null where RPKI is not enabled. */
export async function findAuthority(read: Pick<Read, 'rows'>, accountName: string): Promise<Authority | null> {
  const [authority] = await read.rows<Authority>(
    sql`select ${columns} from rpki_ca where account_name = ${accountName} and state = 'active'`,
  );
  return authority ?? null;
}

/** The authority of an account, held against other changes until this one commits. @throws Failure RPKI_NOT_ENABLED */
export async function lockAuthority(change: Change, accountName: string): Promise<Authority> {
  const [authority] = await change.rows<Authority>(
    sql`select ${columns} from rpki_ca where account_name = ${accountName} and state = 'active' for update`,
  );
  if (!authority) throw refuse('RPKI_NOT_ENABLED');
  return authority;
}

/** Authorities of these accounts, active ones and those revoked that still have something to withdraw. */
export const authoritiesOf = (read: Pick<Read, 'rows'>, accountNames: readonly string[]): Promise<Authority[]> =>
  read.rows<Authority>(sql`select ${columns} from rpki_ca c where account_name = any(${accountNames}::text[])
    and (state = 'active' or exists (select from rpki_key k where k.ca_id = c.ca_id and k.state <> 'destroyed')) order by ca_id`);

/** The trust anchor and the registry's authority; made with their first publication. */
export async function rootAuthorities(change: Change): Promise<{ trustAnchor: Authority; registry: Authority }> {
  const find = (): Promise<Authority[]> => change.rows<Authority>(sql`select ${columns} from rpki_ca where kind <> 'member'`);
  let roots = await find();
  if (roots.length === 0) {
    await change.rows(sql`insert into rpki_ca (kind, handle, enabled_at) values ('trust-anchor', 'ta', ${change.now}::timestamptz),
      ('registry', 'registry', ${change.now}::timestamptz)`);
    roots = await find();
  }
  return { trustAnchor: roots.find(({ kind }) => kind === 'trust-anchor')!, registry: roots.find(({ kind }) => kind === 'registry')! };
}

/** Adds the authority of an account. Its handle tells nothing of the account. */
export async function addAuthority(change: Change, accountName: string): Promise<void> {
  await change.rows(sql`insert into rpki_ca (kind, account_name, handle, enabled_at)
    values ('member', ${accountName}, ${randomBytes(12).toString('hex')}, ${change.now}::timestamptz)`);
}

/** Accounts that use RPKI. */
export const accountsWithRpki = async (read: Pick<Read, 'rows'>): Promise<string[]> =>
  (
    await read.rows<{ accountName: string }>(sql`select account_name from rpki_ca where kind = 'member' and state = 'active' order by 1`)
  ).map(({ accountName }) => accountName);
