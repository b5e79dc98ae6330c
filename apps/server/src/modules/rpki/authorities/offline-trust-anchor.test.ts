import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { api } from '@portal/contract/api';
import { DAY_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../../test/portal.ts';
import { publisherProblems } from '../repository/alarms.ts';
import { publishAll } from '../repository/publisher.ts';
import { checkRepository } from '../repository/repository-check.ts';
import { findDue, isDue } from './due-authorities.ts';
import { createOfflineTrustAnchor, signTrustAnchorRequest } from './offline-trust-anchor.ts';
import { importTrustAnchor, requestTrustAnchor } from '../repository/trust-anchor-exchange.ts';

describe.each(kindsForRules)('an offline trust anchor on %s', kind => {
  const passphrase = 'kept in two safes';
  let portal: TestPortal;
  let folder = '';
  /** Signings are made at different times: the numbers of an authority never repeat within a second. */
  let now = new Date(Date.now() - 3 * DAY_MS);
  const sign = async (
    request: Awaited<ReturnType<typeof requestTrustAnchor>>,
    more: Partial<Parameters<typeof signTrustAnchorRequest>[1]> = {},
  ) => signTrustAnchorRequest(request, { folder, passphrase, days: 90, now, ...more });
  beforeAll(async () => {
    portal = await testPortal(kind, { RPKI_TRUST_ANCHOR: 'offline' });
    folder = path.join(await mkdtemp(path.join(os.tmpdir(), 'portal-ta-')), 'ta');
    const corin = await portal.as('corin');
    await corin(api.rpki.enable, { account: 'EXAMPLE-AU' });
    await corin(api.rpki.changeRoas, {
      account: 'EXAMPLE-AU',
      body: { add: [{ prefix: '198.18.0.0/19', asn: 'AS64500', comment: '' }], remove: [], version: 1 },
    });
  });
  afterAll(async () => {
    await portal[Symbol.asyncDispose]();
    await rm(path.dirname(folder), { recursive: true, force: true });
  });

  test('nothing is published before it signs, and everything afterwards; its key never reaches this machine', async () => {
    expect(await publishAll(portal.context)).toEqual([]);
    const keyIdentifier = await createOfflineTrustAnchor(folder, passphrase);
    const request = await requestTrustAnchor(portal.context);
    expect(request).toMatchObject({ last: null, registry: { handle: 'registry' } });
    const response = await sign(request);
    expect(response.keyIdentifier).toBe(keyIdentifier);
    expect(await importTrustAnchor(portal.context, response)).toBe(1);
    await publishAll(portal.context);
    expect(await checkRepository(portal.db.read, new Date())).toMatchObject({ vrps: 1, problems: [] });
    const [key] = await portal.db.read.rows<{ kept: Buffer }>(
      sql`select k.sealed_private as kept from rpki_key k join rpki_ca c using (ca_id) where c.kind = 'trust-anchor'`,
    );
    expect(key!.kept.toString()).toBe('offline');
    expect(await readFile(path.join(folder, 'trust-anchor-key.pem'), 'utf8')).toContain('ENCRYPTED PRIVATE KEY');
    expect(JSON.stringify(response)).not.toContain('PRIVATE');
  });

  test('a second signing replaces the first and revokes it, under the same key and addresses', async () => {
    const before = await requestTrustAnchor(portal.context);
    expect(before.last!.number).toBe(1);
    now = new Date(now.getTime() + DAY_MS);
    const response = await sign(before);
    expect(response.manifest.number).toBe(2);
    await importTrustAnchor(portal.context, response);
    await publishAll(portal.context);
    expect(await checkRepository(portal.db.read, new Date())).toMatchObject({ vrps: 1, problems: [] });
    await expect(importTrustAnchor(portal.context, response)).rejects.toThrow('imported already');
  });

  test('its manifest can’t be renewed here: the registry is notified a week before its end', async () => {
    const due = await findDue(portal.db.read, new Date(), false);
    expect(isDue(due)).toBe(false);
    await portal.db.change({ action: 'test', summary: 'Let time pass', traceId: '0'.repeat(32) }, change =>
      change.rows(sql`update rpki_manifest m set next_update = now() + interval '6 days' from rpki_key k join rpki_ca c using (ca_id)
        where k.key_id = m.key_id and c.kind = 'trust-anchor'`),
    );
    expect(await publisherProblems(portal.db.read, new Date())).toMatchObject([
      { role: 'publisher', problem: expect.stringContaining('1 RPKI manifest') },
    ]);
    expect(await publishAll(portal.context)).toEqual([]);
  });

  test('a wrong passphrase, folder, clock, registry, trust anchor or response is refused with the reason', async () => {
    const request = await requestTrustAnchor(portal.context);
    await expect(sign(request, { passphrase: 'something else entirely' })).rejects.toThrow('does not open the key');
    await expect(sign(request, { folder: path.join(folder, 'none') })).rejects.toThrow('has no key');
    await expect(sign(request, { now: new Date(now.getTime() - 2 * DAY_MS) })).rejects.toThrow('The clock of this machine');
    await expect(
      sign({ ...request, last: { number: 99, thisUpdate: now.toISOString() } }, { now: new Date(now.getTime() + DAY_MS / 4) }),
    ).rejects.toThrow('older copy');
    await expect(createOfflineTrustAnchor(folder, passphrase)).rejects.toThrow('already');
    await expect(createOfflineTrustAnchor(`${folder}-2`, 'short')).rejects.toThrow('at least 12');

    await createOfflineTrustAnchor(`${folder}-3`, passphrase);
    const other = await sign({ ...request, last: null }, { folder: `${folder}-3` });
    await expect(importTrustAnchor(portal.context, other)).rejects.toThrow('another trust anchor');
    now = new Date(now.getTime() + DAY_MS / 2);
    const right = await sign(request);
    const elsewhere = { ...right, places: { ...right.places, rsync: 'rsync://elsewhere.example/repository/' } };
    await expect(importTrustAnchor(portal.context, elsewhere)).rejects.toThrow('elsewhere.example');
    const [first, ...rest] = right.files;
    const changed = { ...right, files: [{ ...first!, content: rest[0]!.content }, ...rest] };
    await expect(importTrustAnchor(portal.context, changed)).rejects.toThrow();
    expect((await checkRepository(portal.db.read, new Date())).problems).toEqual([]);
  });

  test('after a signing with a clock that was ahead it signs again with the right one, and its numbers go on', async () => {
    const request = await requestTrustAnchor(portal.context);
    const ahead = await sign(request, { now: new Date(Date.now() + 400 * DAY_MS) });
    await expect(importTrustAnchor(portal.context, ahead)).rejects.toThrow();
    // By the clock of the registry the last signing is not in the future: this machine's is behind.
    await expect(sign({ ...request, madeAt: ahead.signedAt }, { now: new Date() })).rejects.toThrow('The clock of this machine');
    const right = await sign(request, { now: new Date() });
    expect(right.manifest.number).toBe(ahead.manifest.number + 1);
    await importTrustAnchor(portal.context, right);
    await publishAll(portal.context);
    expect(await checkRepository(portal.db.read, new Date())).toMatchObject({ vrps: 1, problems: [] });
  });
});
