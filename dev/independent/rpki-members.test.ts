import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount } from '../../apps/server/src/modules/accounts/index.ts';
import { caSigner } from '../../apps/server/src/modules/rpki/authorities/signing-system.ts';
import { delegate } from '../../apps/server/src/modules/resources/delegations.ts';
import { carryOutSignatures, listVrps, publishRepository, touchedRoas } from '../../apps/server/src/modules/rpki/index.ts';
import { backup, type Change, restore } from '../../apps/server/src/platform/database/index.ts';
import { parseResource } from '@portal/number-resources';
import { testPortal, type TestPortal } from '../../apps/server/test/portal.ts';
import { type ObservedRegistry, openObservedRegistry } from './rpki-observers.ts';
import { canRunValidators } from './rpki-validators.ts';
import { anyNumbers } from '../../apps/server/test/any-numbers.ts';

/** Every step has members of its own; `RPKI_MEMBERS=300` makes it a registry of usual size. */
const MEMBERS = Number(process.env.RPKI_MEMBERS ?? 44);
const activity = { action: 'test', summary: 'Changed members', traceId: '0'.repeat(32) };
const nameOf = (member: number): string => `MEMBER-${member}`;
/** Each member holds a /20 of 10/8 and an AS number. */
const blockOf = (member: number, third = 0): string => `10.${member >> 4}.${(member & 15) * 16 + third}.0`;
const asOf = (member: number): number => 4_200_000_000 + member;
const members = Array.from({ length: MEMBERS }, (_, member) => member);
/** Returns some members: from a place, and how many, both as shares of all. */
const some = (from: number, count: number): number[] =>
  members.slice(Math.floor(from * MEMBERS), Math.floor(from * MEMBERS) + Math.ceil(count * MEMBERS));

async function addMembers(portal: TestPortal): Promise<void> {
  const signer = portal.context.outside(caSigner);
  const [own, once] = [await signer.createKeys(MEMBERS), await signer.createKeys(2 * MEMBERS + 100)];
  await portal.db.change(
    activity,
    async change => {
      for (const member of members) {
        await createAccount(change, {
          accountName: nameOf(member),
          orgName: nameOf(member),
          economy: 'AU',
          accountType: 'regular',
          accountStatus: 'open',
          expiryDate: '2099-12-31',
        });
        await delegate(change, { resource: `${blockOf(member)}/20`, accountName: nameOf(member), type: 'allocated' }, anyNumbers);
        await delegate(change, { resource: `AS${asOf(member)}`, accountName: nameOf(member), type: 'allocated' }, anyNumbers);
      }
      await change.rows(sql`insert into rpki_ca (kind, account_name, handle, enabled_at)
        select 'member', name, md5(name), ${change.now}::timestamptz from unnest(${members.map(nameOf)}::text[]) name`);
      await change.rows(sql`insert into rpki_key (ca_id, state, public_key, key_identifier, sealed_private, created_at, state_since)
        select c.ca_id, 'current', g.public_key, g.key_identifier, g.sealed, ${change.now}::timestamptz, ${change.now}::timestamptz
        from unnest(${members.map(nameOf)}::text[], ${own.slice(0, MEMBERS).map(({ publicKey }) => Buffer.from(publicKey))}::bytea[],
          ${own.slice(0, MEMBERS).map(({ keyIdentifier }) => keyIdentifier)}::text[], ${own.slice(0, MEMBERS).map(({ sealed }) => Buffer.from(sealed))}::bytea[])
          as g (name, public_key, key_identifier, sealed) join rpki_ca c on c.account_name = g.name`);
      await addRoas(change, members, 0);
    },
    { timeout: 0 },
  );
  await sql`insert into rpki_one_time_key (public_key, sealed_private, made_at) select public_key, sealed, now() from unnest(
    ${once.map(({ publicKey }) => Buffer.from(publicKey))}::bytea[], ${once.map(({ sealed }) => Buffer.from(sealed))}::bytea[]) as k (public_key, sealed)`.execute(
    portal.db.unrecorded,
  );
}

const addRoas = (change: Change, of: readonly number[], third: number): Promise<unknown> =>
  change.rows(sql`insert into roa (account_name, prefix, max_length, asn, created_at) select name, prefix, 24, asn, ${change.now}::timestamptz
    from unnest(${of.map(nameOf)}::text[], ${of.map(member => `${blockOf(member, third)}/24`)}::cidr[], ${of.map(asOf)}::bigint[]) as g (name, prefix, asn)`);

/** The life of a registry of many members as validators that others wrote see it: many members in each step, and no ROA is lost by the change of another member. */
describe.runIf(canRunValidators)('a registry of many members', () => {
  let observed: ObservedRegistry<TestPortal>;
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'portal-rpki-'));
    observed = await openObservedRegistry(folder, async settings => {
      const portal = await testPortal(undefined, settings);
      await addMembers(portal);
      await publishRepository(portal.context);
      return portal;
    });
  }, 600_000);
  afterAll(async () => {
    await observed?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const vrp = (member: number, third = 0, asn = asOf(member)): string => `AS${asn} ${blockOf(member, third)}/24-24`;
  const change = (work: (change: Change) => Promise<unknown>) => observed.portal.db.change(activity, async tx => void (await work(tx)));
  /** Publishes, runs all validators, and compares: VRPs out are ROAs in, and no warning. */
  const allAgree = async (expected: readonly string[]): Promise<void> => {
    const { portal, validators } = observed;
    await publishRepository(portal.context);
    const wanted = [...expected].sort();
    const listed = (await listVrps(portal.db.read)).map(({ prefix, asn, maxLength }) => `AS${asn} ${prefix}-${maxLength}`).sort();
    expect(listed).toEqual(wanted);
    const found = await Promise.all(validators.map(async ({ name, run }) => ({ name, ...(await run()) })));
    expect(found).toEqual(validators.map(({ name }) => ({ name, vrps: wanted, warnings: [] })));
  };
  let now: string[] = [];
  const [adding, deleting, moving, shrinking, suspended, rolling] = [
    some(0, 0.18),
    some(0.2, 0.18),
    some(0.4, 0.04),
    some(0.55, 0.04),
    some(0.73, 0.04),
    some(0.91, 0.03),
  ];

  test('starts with a ROA of each', async () => {
    now = members.map(member => vrp(member));
    await allAgree(now);
  }, 600_000);

  test('adds, deletes, transfers, shrinks, suspends and begins to roll keys over, all in one publication', async () => {
    await change(tx => addRoas(tx, adding, 1));
    await change(tx => tx.rows(sql`delete from roa where account_name = any(${deleting.map(nameOf)}::text[])`));
    await change(async tx => {
      for (const member of moving) {
        const block = parseResource(`${blockOf(member)}/20`);
        await tx.rows(
          sql`update delegation set account_name = ${nameOf(member + moving.length)} where account_name = ${nameOf(member)} and kind = 'ipv4'`,
        );
        const roas = (await touchedRoas(tx, nameOf(member), [block])).map(touched => ({ touched, goes: true }));
        await carryOutSignatures(tx, { from: nameOf(member), to: nameOf(member + moving.length), roas, aspas: [] });
      }
      await tx.rows(sql`delete from delegation where account_name = any(${shrinking.map(nameOf)}::text[]) and kind = 'ipv4'`);
      await tx.rows(sql`update account set account_status = 'suspended' where account_name = any(${suspended.map(nameOf)}::text[])`);
      await tx.rows(
        sql`update rpki_ca set rollover_requested_at = ${tx.now}::timestamptz where account_name = any(${rolling.map(nameOf)}::text[])`,
      );
    });
    const gone = new Set([...deleting, ...shrinking, ...suspended].map(member => vrp(member)));
    await allAgree([...now.filter(each => !gone.has(each)), ...adding.map(member => vrp(member, 1))]);
    now = [...now.filter(each => !gone.has(each)), ...adding.map(member => vrp(member, 1))];
  }, 600_000);

  test('lets new keys sign, brings suspended members back, and keeps everything when it is put back from a backup', async () => {
    const { portal } = observed;
    const file = path.join(folder, 'registry.backup');
    await backup(portal.db, file);
    await change(tx => addRoas(tx, adding, 2));
    await publishRepository(portal.context);
    await restore(portal.db, file, { replace: true });
    await change(async tx => {
      await tx.rows(
        sql`update rpki_key set created_at = created_at - interval '25 hours', state_since = state_since - interval '25 hours'`,
      );
      await tx.rows(sql`update rpki_ca set rollover_requested_at = rollover_requested_at - interval '25 hours', activation_requested_at = ${tx.now}::timestamptz
        where rollover_requested_at is not null`);
      await tx.rows(sql`update account set account_status = 'open' where account_name = any(${suspended.map(nameOf)}::text[])`);
    });
    now = [...now, ...suspended.map(member => vrp(member))];
    await allAgree(now);
  }, 600_000);
});
