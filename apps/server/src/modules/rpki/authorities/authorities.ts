import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Change, Read } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';

/** An authority: the trust anchor, the registry's, a member's, that of unallocated space (`as0`), or the registry's identity towards self-hosted ones. */
export type Authority = {
  caId: number;
  kind: 'trust-anchor' | 'registry' | 'member' | 'as0' | 'identity';
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

/** The authority of an account; null if RPKI is not enabled. */
export async function findAuthority(read: Pick<Read, 'rows'>, accountName: string): Promise<Authority | null> {
  const [authority] = await read.rows<Authority>(
    sql`select ${columns} from rpki_ca where account_name = ${accountName} and state = 'active'`,
  );
  return authority ?? null;
}

/** Locks and returns the authority of an account. @throws Failure RPKI_NOT_ENABLED */
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
  const find = (): Promise<Authority[]> =>
    change.rows<Authority>(sql`select ${columns} from rpki_ca where kind in ('trust-anchor', 'registry')`);
  let roots = await find();
  if (roots.length === 0) {
    await change.rows(sql`insert into rpki_ca (kind, handle, enabled_at) values ('trust-anchor', 'ta', ${change.now}::timestamptz),
      ('registry', 'registry', ${change.now}::timestamptz)`);
    roots = await find();
  }
  return { trustAnchor: roots.find(({ kind }) => kind === 'trust-anchor')!, registry: roots.find(({ kind }) => kind === 'registry')! };
}

/**
 * The trust anchor of unallocated space, made when first enabled; null before that. When disabled again it stays, empty, because relying parties keep
 * its locator. @param isWanted the setting RPKI_AS0
 */
export async function as0Authority(change: Change, isWanted: boolean): Promise<Authority | null> {
  const state = isWanted ? 'active' : 'revoked';
  if (isWanted)
    await change.rows(sql`insert into rpki_ca (kind, handle, enabled_at) select 'as0', 'as0', ${change.now}::timestamptz
      where not exists (select from rpki_ca where kind = 'as0')`);
  await change.rows(sql`update rpki_ca set state = ${state}, revoked_at = ${isWanted ? null : change.now}::timestamptz
    where kind = 'as0' and state <> ${state}`);
  const [authority] = await change.rows<Authority>(sql`select ${columns} from rpki_ca where kind = 'as0'`);
  return authority ?? null;
}

/** Adds the authority of an account. Its handle reveals nothing about the account. */
export async function addAuthority(change: Change, accountName: string): Promise<void> {
  await change.rows(sql`insert into rpki_ca (kind, account_name, handle, enabled_at)
    values ('member', ${accountName}, ${randomBytes(12).toString('hex')}, ${change.now}::timestamptz)`);
}

/** Accounts that use RPKI. */
export const accountsWithRpki = async (read: Pick<Read, 'rows'>): Promise<string[]> =>
  (
    await read.rows<{ accountName: string }>(sql`select account_name from rpki_ca where kind = 'member' and state = 'active'
      union select account_name from rpki_child where state = 'active' order by 1`)
  ).map(({ accountName }) => accountName);
