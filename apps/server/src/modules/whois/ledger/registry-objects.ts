import { fileOf } from '../../../dated-profile.ts';
import { handlePrefix, objectOf, type RpslObject } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Change } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import { assignHandles } from '../store/handles.ts';
import { objectOfRow } from '../store/object-facts.ts';
import { storeObjects, type Write } from '../store/store.ts';
import { identityOf } from '../store/syntax.ts';
import type { StoredObject } from '../store/update.ts';
import { findObjects } from '../store/stored-objects.ts';

/** Placeholders in kept objects until their holder names its own. */
export type RegistryDefaults = { maintainer: string; contact: string; irt: string };

/** Telephone number if none is known. */
const NO_PHONE = '+000000000';

/**
 * Creates the registry's own maintainer, contact and irt if they are missing. They refer to each other, so all three are created together.
 */
export async function registryDefaults(change: Change, profile: Profile): Promise<RegistryDefaults> {
  const maintainer = profile.hostmasterMaintainer;
  const irt = `IRT-${maintainer}`;
  const [known] = await findObjects(change, [{ class: 'mntner', key: maintainer.toLowerCase() }]);
  if (known) {
    const contact = objectOfRow(known).attributes.find(({ name }) => name === 'admin-c')?.value;
    if (contact !== undefined) return { maintainer, contact, irt };
  }
  // The objects of the database keep the name that they were made with.
  const { registryName, source, hostmasterEmail } = fileOf(profile);
  const role = [`${registryName} Hostmaster`, handlePrefix(registryName)] as const;
  const objects: (RpslObject | null)[] = [
    objectOf([
      ['role', role[0]],
      ['address', registryName],
      ['country', 'ZZ'],
      ['phone', NO_PHONE],
      ['e-mail', hostmasterEmail],
      ['admin-c', 'AUTO-1'],
      ['tech-c', 'AUTO-1'],
      ['nic-hdl', 'AUTO-1'],
      ['remarks', 'Used where a holder has no contact of its own'],
      ['abuse-mailbox', hostmasterEmail],
      ['mnt-by', maintainer],
      ['source', source],
    ]),
    objectOf([
      ['mntner', maintainer],
      ['descr', `${registryName}, maintained by the registry`],
      ['admin-c', 'AUTO-1'],
      ['upd-to', hostmasterEmail],
      ['auth', 'PORTAL'],
      ['mnt-by', maintainer],
      ['referral-by', maintainer],
      ['source', source],
    ]),
    objectOf([
      ['irt', irt],
      ['address', registryName],
      ['e-mail', hostmasterEmail],
      ['abuse-mailbox', hostmasterEmail],
      ['admin-c', 'AUTO-1'],
      ['tech-c', 'AUTO-1'],
      ['auth', 'PORTAL'],
      ['remarks', 'Used where a holder has no IRT of its own'],
      ['mnt-by', maintainer],
      ['source', source],
    ]),
  ];
  await assignHandles(
    change,
    objects,
    objects.map(() => true),
    profile,
  );
  const contact = objects[0]!.attributes.find(({ name }) => name === 'nic-hdl')!.value;
  const identities = objects.map(object => identityOf(object!)!);
  const stored = new Map((await findObjects(change, identities)).map(row => [`${row.class} ${row.key}`, row]));
  const writes = objects.map((object, index): Write => {
    const row: StoredObject | null = stored.get(`${identities[index]!.class} ${identities[index]!.key}`) ?? null;
    return { operation: row ? 'modify' : 'create', ...identities[index]!, object: object!, stored: row, kept: { for: null } };
  });
  await storeObjects(change, writes, profile);
  return { maintainer, contact, irt };
}

/**
 * One as-block for each stretch of AS numbers this registry delegated or has in its pools: parents of aut-nums, maintained by the registry. A stretch that is the
 * block of one holder has that holder's.
 */
export async function syncAsBlocks(change: Change, { maintainer, contact }: RegistryDefaults, profile: Profile): Promise<void> {
  const stretches = await change.rows<{
    firstAs: number;
    lastAs: number;
  }>(sql`select lower(stretch) as first_as, upper(stretch) - 1 as last_as
    from unnest((select range_agg(numbers) from (
      select int8range(first_as, last_as, '[]') as numbers from delegation where kind = 'asn' and registry = '' and status <> 'closed'
      union all select int8range(first_as, last_as, '[]') from pool where kind = 'asn' and registry = '') each)) as stretch`);
  const kept = await change.rows<StoredObject>(sql`select * from whois_object where class = 'as-block' and kept and kept_for is null`);
  const wanted = new Map(
    stretches.map(({ firstAs, lastAs }) => {
      const object = objectOf([
        ['as-block', `AS${firstAs} - AS${lastAs}`],
        ['descr', `AS numbers of ${fileOf(profile).registryName}`],
        ['admin-c', contact],
        ['tech-c', contact],
        ['mnt-by', maintainer],
        ['source', profile.source],
      ]);
      return [identityOf(object)!.key, object] as const;
    }),
  );
  const known = new Set(kept.map(({ key }) => key));
  const fresh = [...wanted].filter(([key]) => !known.has(key));
  const others = new Map(
    (
      await findObjects(
        change,
        fresh.map(([key]) => ({ class: 'as-block', key })),
      )
    ).map(row => [row.key, row]),
  );
  const writes: Write[] = [
    ...kept
      .filter(({ key }) => !wanted.has(key))
      .map(
        (row): Write => ({ operation: 'delete', class: 'as-block', key: row.key, shown: row.shown, object: objectOfRow(row), stored: row }),
      ),
    ...fresh.flatMap(([key, object]): Write[] => {
      const row = others.get(key) ?? null;
      // All of the stretch is one holder's block: that object is the parent of its aut-nums.
      if (row?.keptFor) return [];
      return [{ operation: row ? 'modify' : 'create', ...identityOf(object)!, object, stored: row, kept: { for: null } }];
    }),
  ];
  await storeObjects(change, writes, profile);
}
