import { api } from '@portal/contract/api';
import type { CheckReport } from '@portal/contract/reverse-dns/checks';
import { expect, test } from 'vitest';
import { testPortal } from '../../../../test/portal.ts';
import { followCds } from './cds-following.ts';
import { noteZoneState } from './zone-states.ts';

const account = 'EXAMPLE-AU';
const zone = '2.18.198.in-addr.arpa';
const old = `12345 13 2 ${'AB'.repeat(32)}`;
const wanted = `23456 13 2 ${'CD'.repeat(32)}`;
const line = { action: 'test', summary: 'Checked', traceId: '0'.repeat(32) };

test('DS records follow the zone’s CDS, once, never backwards, and not if the registry switched that off', async () => {
  await using portal = await testPortal();
  const tess = await portal.as('tess');
  const { profile } = portal.context;
  const body = { zones: [zone], servers: ['ns1.example.net', 'ns2.example.net'], keys: `${zone}. DS ${old}` };
  expect(await tess(api.reverseDns.submitZones, { account, body })).toMatchObject({ status: 200 });
  const dsNow = async () => (await tess(api.reverseDns.listZones, { account, query: { q: zone } })).data!.rows[0]!.ds;
  expect(await dsNow()).toEqual([old]);
  const report = (more: Partial<CheckReport>): CheckReport => ({
    findings: [],
    servers: [],
    chain: [],
    keys: [],
    ds: [old],
    cds: [],
    signatures: [],
    signaturesEnd: null,
    raw: [],
    ...more,
  });
  await portal.db.change(line, change => noteZoneState(change, zone, crypto.randomUUID(), report({}), 'ok'));
  const follow = (more: Partial<CheckReport>) => followCds(portal.db, zone, report(more), profile);
  const cdsSince = '2027-01-02T00:00:00.000Z';
  expect(await follow({ cds: [wanted], cdsSince: null })).toBe(false);
  expect(await follow({ cds: [old], cdsSince })).toBe(false);
  // The delegation has changed since the check.
  expect(await follow({ ds: [wanted], cds: [old], cdsSince })).toBe(false);
  profile.followCds = false;
  try {
    expect(await follow({ cds: [wanted], cdsSince })).toBe(false);
  } finally {
    profile.followCds = true;
  }
  expect(await dsNow()).toEqual([old]);
  // A CDS that whois refuses: the contacts are notified once, with the reason.
  const impossible = { cds: ['23456 13 2 ABCD'], cdsSince };
  for (let time = 0; time < 2; time++) expect(await follow(impossible)).toBe(false);
  expect(await dsNow()).toEqual([old]);
  const mails = (await portal.mailsTo('tess@example-au.example')).filter(({ subject }) => subject === `${zone}: DS not changed`);
  expect(mails.map(({ body }) => body)).toEqual([expect.stringMatching(/DS records that can’t be stored: \S/)]);
  const both = await Promise.all([follow({ cds: [wanted], cdsSince }), follow({ cds: [wanted], cdsSince })]);
  expect(both.toSorted()).toEqual([false, true]);
  expect(await dsNow()).toEqual([wanted]);
  expect((await portal.mailsTo('tess@example-au.example')).at(-1)!.subject).toBe(`${zone}: DS changed`);
  // An older CDS, replayed.
  expect(await follow({ ds: [wanted], cds: [old], cdsSince: '2027-01-01T00:00:00.000Z' })).toBe(false);
  expect(await follow({ ds: [wanted], cds: ['0 0 0 00'], cdsSince: '2027-01-03T00:00:00.000Z' })).toBe(true);
  expect(await dsNow()).toEqual([]);
  // Without a DS nothing is followed: the first one comes from the holder.
  expect(await follow({ ds: [], cds: [wanted], cdsSince: '2027-01-04T00:00:00.000Z' })).toBe(false);
});
