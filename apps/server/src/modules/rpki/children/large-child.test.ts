import { DAY_MS, MINUTE_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectedAuthority, publicationType } from '../../../../test/connected-authority.ts';
import { type TestPortal, testPortal } from '../../../../test/portal.ts';
import { costOf } from '../../../../test/thread-costs.ts';
import { publishAll } from '../repository/publisher.ts';
import { listVrps } from '../vrps.ts';
import { judgeChildren, noteChangedChildren } from './child-judgements.ts';

const activity = { action: 'test', summary: 'Stored files', traceId: '0'.repeat(32) };
const FILES = 20_000 - 3;
const REVOKED = 61_000;

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal('postgres');
});
afterAll(() => portal[Symbol.asyncDispose]());

test('a small change among 20,000 files and 61,000 revocations costs only the change', { timeout: 3 * MINUTE_MS }, async () => {
  const { child, base, service, arrive, read } = await connectedAuthority(portal);
  const published = await listVrps(portal.db.read);

  const own = child.files([{ prefix: '198.18.0.0/19', asn: 64500, maxLength: 24 }]);
  const [roa] = own.values();
  const uris = Array.from({ length: FILES }, (_, index) => `${base}roa-${index}.roa`);
  const revoked = Array.from({ length: REVOKED }, (_, index) => ({
    serial: (1n << 150n) + BigInt(index),
    revokedAt: new Date(Date.now() - DAY_MS),
  }));
  /** Manifest and CRL over these files. */
  const listing = (names: readonly string[]) =>
    child.listing(
      names.map(uri => ({ uri, bytes: roa! })),
      revoked,
    );
  const lists = listing(uris);
  const all = [...uris.map(uri => [uri, roa!] as const), ...lists];
  await portal.db.change(activity, async change => {
    await change.rows(sql`insert into rpki_object (uri, child_id, kind, content, sha256, modified_at, subject, published_in)
      select uri, (select child_id from rpki_child), 'delegated', content, sha256(content), now(), '', 1 from unnest(
        ${all.map(([uri]) => uri)}::text[], ${all.map(([, bytes]) => Buffer.from(bytes))}::bytea[]) as given (uri, content)`);
    const [row] = await change.rows<{ childId: number }>(sql`select child_id from rpki_child`);
    await noteChangedChildren(change, [row!.childId]);
  });
  await judgeChildren(portal.context);
  expect((await listVrps(portal.db.read)).length).toBe(published.length + 1);

  // One file is withdrawn, and manifest and CRL are replaced.
  const next = listing(uris.slice(1));
  const query = child.publish(next, new Map([...lists, [uris[0]!, roa!]]));
  const message = child.message(query);
  const arrived = await costOf(() => arrive(publicationType, service, message));
  const answered = await costOf(() => publishAll(portal.context));
  expect(read((await arrived.answer.answer).rawPayload)).toContain('<success/>');
  expect((await listVrps(portal.db.read)).length).toBe(published.length);
  // Time of the main thread only, independent of other load.
  expect(arrived.cpu).toBeLessThan(1000);
  expect(answered.cpu).toBeLessThan(1500);
});
