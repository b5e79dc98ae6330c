import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newKeys, selfHostedAuthority } from '../../../../../../packages/rpki-objects/test/self-hosted-authority.ts';
import { type TestPortal, testPortal } from '../../../../test/portal.ts';
import { publishAll } from '../repository/publisher.ts';
import { listVrps } from '../repository/vrps.ts';
import { judgeChildren, noteChangedChildren } from './child-judgements.ts';

const account = 'EXAMPLE-AU';
const activity = { action: 'test', summary: 'Stored files', traceId: '0'.repeat(32) };
const keys = newKeys();
const FILES = 20_000 - 3;
const REVOKED = 60_000;

let portal: TestPortal;
const child = selfHostedAuthority('Example-AU', keys, () => new Date());
let service = '';
let base = '';
beforeAll(async () => {
  portal = await testPortal('postgres');
});
afterAll(() => portal[Symbol.asyncDispose]());

/** Processor time in ms that this thread takes for `work`. */
async function costOf<T>(work: () => Promise<T>): Promise<{ answer: T; cpu: number }> {
  const before = process.threadCpuUsage();
  const answer = await work();
  const { user, system } = process.threadCpuUsage(before);
  return { answer, cpu: (user + system) / 1000 };
}

const send = (type: string, url: string, payload: Buffer) =>
  portal.http.inject({ method: 'POST', url, headers: { 'content-type': type, host: 'portal.test' }, payload });
const waiting = async (): Promise<void> => {
  for (;;) {
    const [row] = await portal.db.read.rows<{ count: number }>(sql`select count(*)::int as count from rpki_message where answer is null`);
    if (row!.count > 0) return;
    await new Promise(resolve => setTimeout(resolve, 5));
  }
};
/** Sends a message and publishes once what it asks for. */
const post = async (type: string, url: string, payload: Buffer) => {
  const answering = send(type, url, payload);
  const arrived = await costOf(waiting);
  const published = await costOf(() => publishAll(portal.context));
  const answered = await costOf(async () => (await answering).rawPayload);
  return { answer: answered.answer, costs: { arrived, published, answered } };
};

test('a small change of 20,000 files and 60,000 revocations costs the change', { timeout: 180_000 }, async () => {
  const corin = await portal.as('corin');
  await corin(api.rpkiSelfHosted.connect, { account, body: { childRequest: child.childRequest } });
  await corin(api.rpkiSelfHosted.publishHere, { account, body: { publisherRequest: child.publisherRequest } });
  await publishAll(portal.context);
  const { parentResponse, publication } = (await corin(api.rpkiSelfHosted.getSelfHosted, { account })).data!.authority!;
  const repositoryResponse = publication!.repositoryResponse!;
  base = child.baseOf(repositoryResponse);
  service = child.serviceOf(repositoryResponse);
  const issued = await post('application/rpki-updown', child.serviceOf(parentResponse!), child.message(child.issue(base)));
  child.takeCertificate(child.read(issued.answer, parentResponse!));
  const published = await listVrps(portal.db.read);

  const own = child.files([{ prefix: '198.18.0.0/19', asn: 64500, maxLength: 24 }]);
  const [roa] = own.values();
  const uris = Array.from({ length: FILES }, (_, index) => `${base}roa-${index}.roa`);
  const revoked = Array.from({ length: REVOKED }, (_, index) => ({
    serial: (1n << 150n) + BigInt(index),
    revokedAt: new Date(Date.now() - 86_400_000),
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

  // One file goes, and manifest and CRL are replaced.
  const next = listing(uris.slice(1));
  const query = child.publish(next, new Map([...lists, [uris[0]!, roa!]]));
  const second = await post('application/rpki-publication', service, child.message(query));
  expect(child.read(second.answer, repositoryResponse)).toContain('<success/>');
  expect((await listVrps(portal.db.read)).length).toBe(published.length);
  // What the thread of the server itself did, whatever else the machine does: reading the message there alone took 8 seconds, and judging it as long.
  expect(second.costs.arrived.cpu).toBeLessThan(2000);
  expect(second.costs.published.cpu).toBeLessThan(3000);
});
