import { parseObject } from '@portal/rpsl';
import { sql } from 'kysely';
import { type Change, frequent, type Read } from '../../../platform/database/index.ts';
import { maintainersIn } from '../store/object-facts.ts';
import type { WhoisOutcome } from '../store/update.ts';

/** Links a maintainer; the first one of an account is its principal one. */
export async function linkMaintainerTo(change: Change, accountName: string, maintainer: string): Promise<void> {
  await change.rows(sql`insert into maintainer_link (account_name, maintainer, principal, linked_at)
    select ${accountName}, ${maintainer.toLowerCase()}, not exists (select from maintainer_link where account_name = ${accountName} and principal), ${change.now}::timestamptz
    on conflict do nothing`);
}

/** Names of the maintainers linked to an account as their objects spell them, the principal one first. */
export async function linkedMaintainers(read: Pick<Read, 'rows'>, accountName: string): Promise<{ key: string; shown: string }[]> {
  return read.rows<{ key: string; shown: string }>(
    frequent(sql`select l.maintainer as key, o.shown from maintainer_link l
    join whois_object o on o.class = 'mntner' and o.key = l.maintainer where l.account_name = ${accountName} order by l.principal desc, l.maintainer`),
  );
}

/** A maintainer that maintains itself belongs to its creator: without a link no one could change it any more. */
export async function linkNewMaintainers(change: Change, accountName: string, outcomes: readonly WhoisOutcome[]): Promise<void> {
  for (const { state, done, class: objectClass, key, after } of outcomes) {
    if (state !== 'ok' || done !== 'create' || objectClass !== 'mntner' || after === null) continue;
    const { object } = parseObject(after);
    if (object && maintainersIn(object, 'mnt-by').includes(key)) await linkMaintainerTo(change, accountName, key);
  }
}
