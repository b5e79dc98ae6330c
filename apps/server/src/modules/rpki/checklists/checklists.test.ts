import { createHash } from 'node:crypto';
import { api } from '@portal/contract/api';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../../test/portal.ts';
import { closeDelegations } from '../../resources/delegations.ts';
import { publishAll } from '../repository/publisher.ts';
import { checkRepository } from '../repository/repository-check.ts';

const account = 'EXAMPLE-AU';
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const letter = { name: 'letter.pdf', sha256: sha256('letter') };
const activity = { action: 'test', summary: 'Changed the ledger', traceId: '0'.repeat(32) };

describe.each(kindsForRules)('signed checklists on %s', kind => {
  let portal: TestPortal;
  let corin: Awaited<ReturnType<TestPortal['as']>>;
  beforeAll(async () => {
    portal = await testPortal(kind);
    corin = await portal.as('corin');
    await corin(api.rpki.enable, { account });
    await publishAll(portal.context);
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  const sign = async (resources: string[], files: { name: string | null; sha256: string }[] = [letter]) =>
    corin(api.rpkiChecklists.signChecklist, { account, body: { resources, files, days: 30 } });
  const signed = async (resources: string[]): Promise<{ checklistId: string; object: string }> => {
    const { data } = await sign(resources);
    expect(data!.state).toBe('signing');
    await publishAll(portal.context);
    const { data: found } = await corin(api.rpkiChecklists.getChecklist, { account, checklistId: data!.checklistId });
    return { checklistId: data!.checklistId, object: found!.object! };
  };
  const verify = async (object: string) => (await corin(api.rpkiChecklists.verifyChecklist, { body: { object } })).data!;
  const stateOf = async (checklistId: string) => (await corin(api.rpkiChecklists.getChecklist, { account, checklistId })).data!.state;

  test('a checklist is signed for resources and files, without a publication, and contains both', async () => {
    const before = await portal.db.read.rows<{ serial: number }>(sql`select serial from rrdp_session`);
    const { checklistId, object } = await signed(['198.18.4.0/22', 'AS64500', '198.18.0.0/22']);
    expect(await portal.db.read.rows(sql`select serial from rrdp_session`)).toEqual(before);
    const verified = await verify(object);
    expect(verified).toMatchObject({ problem: null, resources: ['198.18.0.0/21', 'AS64500'], files: [letter] });
    expect(Date.parse(verified.validUntil!) - Date.now()).toBeLessThanOrEqual(30 * DAY_MS);
    expect(await stateOf(checklistId)).toBe('valid');
    const { data } = await corin(api.rpkiChecklists.listChecklists, { account });
    expect(data!.rows[0]).toMatchObject({ checklistId, state: 'valid', files: [letter] });
    expect((await checkRepository(portal.db.read, new Date())).problems).toEqual([]);
  });

  test('a revoked checklist is refused from the next publication on', async () => {
    const { checklistId, object } = await signed(['AS64500']);
    const { data } = await corin(api.rpkiChecklists.revokeChecklist, { account, checklistId });
    expect(data!.state).toBe('revoked');
    expect((await publishAll(portal.context)).length).toBe(1);
    expect((await verify(object)).problem).toBe('The holder revoked this checklist');
    expect((await corin(api.rpkiChecklists.revokeChecklist, { account, checklistId })).errors![0]!.code).toBe('NOTHING_TO_DO');
    expect((await checkRepository(portal.db.read, new Date())).problems).toEqual([]);
  });

  test('a checklist revoked before it is signed is never signed', async () => {
    const { data } = await sign(['AS64500']);
    await corin(api.rpkiChecklists.revokeChecklist, { account, checklistId: data!.checklistId });
    await publishAll(portal.context);
    const { data: found } = await corin(api.rpkiChecklists.getChecklist, { account, checklistId: data!.checklistId });
    expect(found).toMatchObject({ state: 'revoked', object: null });
  });

  test('resources of others, wrong names and files listed twice are refused, each with its field', async () => {
    const problemsOf = async (...given: Parameters<typeof sign>) =>
      (await sign(...given)).errors!.map(error => [error.field, error.message]);
    expect(await problemsOf(['AS64500', '198.51.100.0/24', '198.18.0.1/19'])).toEqual([
      ['resources.1', '198.51.100.0/24 is not inside a delegation of this account'],
      ['resources.2', expect.stringContaining('198.18.0.')],
    ]);
    expect(await problemsOf(['AS64500'], [letter, letter])).toEqual([['files', 'Each file name can be listed once']]);
    expect((await sign(['AS64500'], [{ name: 'a b.pdf', sha256: letter.sha256 }])).errors![0]!.code).toBe('INVALID_REQUEST');
    expect((await sign(['AS64500'], [{ name: null, sha256: 'abc' }])).errors![0]!.code).toBe('INVALID_REQUEST');
    expect((await sign([])).errors![0]!.code).toBe('INVALID_REQUEST');
  });

  test('an account sees only its own checklists, and only contacts with the permission can sign', async () => {
    const { checklistId } = await signed(['AS64500']);
    const olive = await portal.as('olive');
    expect((await olive(api.rpkiChecklists.getChecklist, { account, checklistId })).status).toBe(404);
    expect((await olive(api.rpkiChecklists.getChecklist, { account: 'OTHER-SG', checklistId })).status).toBe(404);
    expect(
      (await olive(api.rpkiChecklists.signChecklist, { account: 'OTHER-SG', body: { resources: ['AS64501'], files: [letter], days: 1 } }))
        .errors![0]!.code,
    ).toBe('RPKI_NOT_ENABLED');
    const bill = await portal.as('bill');
    expect(
      (await bill(api.rpkiChecklists.signChecklist, { account, body: { resources: ['AS64500'], files: [letter], days: 1 } })).status,
    ).toBe(403);
  });

  test('a file that isn’t a checklist is refused with the reason, and so is a modified checklist', async () => {
    const problemOf = async (bytes: Uint8Array) => (await verify(Buffer.from(bytes).toString('base64'))).problem;
    expect(await verify(Buffer.from('not a checklist').toString('base64'))).toMatchObject({ validFrom: null, resources: [], files: [] });
    expect(await problemOf(Buffer.from('not a checklist'))).toMatch(/^This isn’t a signed checklist.*Choose the \.sig file as you got it/);
    const { object } = await signed(['AS64500']);
    const bytes = Buffer.from(object, 'base64');
    expect(await problemOf(bytes.subarray(0, 900))).toMatch(/^This isn’t a signed checklist, or part of it is missing \(.* is cut off\)$/);
    expect(await problemOf(Buffer.from(bytes.toString('base64')))).toMatch(/if it came as text, ask for it as an attachment$/);
    bytes[bytes.length - 1]! ^= 1;
    expect((await verify(bytes.toString('base64'))).problem).not.toBeNull();
  });

  test('anyone can verify a checklist without signing in, and nothing is stored', async () => {
    const { object } = await signed(['AS64500']);
    const linesOf = async () => (await portal.db.read.rows<{ count: number }>(sql`select count(*)::int as count from activity`))[0]!.count;
    const lines = await linesOf();
    const send = (bytes: Uint8Array<ArrayBuffer>, type = 'application/rpki-checklist') =>
      portal.request('/checklists', { method: 'POST', headers: { 'content-type': type }, body: new Blob([bytes]) });
    const answer = await send(new Uint8Array(Buffer.from(object, 'base64')));
    expect(await answer.json()).toMatchObject({ problem: null, resources: ['AS64500'], files: [letter] });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await (await send(new Uint8Array(Buffer.from('<html>')))).json()).toMatchObject({ problem: expect.any(String), files: [] });
    const large = await send(new Uint8Array(200_000));
    expect([large.status, await large.text()]).toEqual([413, expect.stringContaining('The request is larger than 75 KB')]);
    expect((await send(new Uint8Array(10), 'text/html')).status).toBe(415);
    expect((await portal.request('/checklists')).headers.get('content-type')).toContain('text/html');
    expect(await linesOf()).toBe(lines);
  });

  test('a checklist is not valid while its resources are not certified, and ends with a key rollover', async () => {
    const both = await signed(['203.0.113.0/24']);
    const [row] = await portal.db.read.selectFrom('delegation').select('delegationId').where('resource', '=', '203.0.113.0/24').execute();
    await portal.db.change(activity, tx => closeDelegations(tx, [row!.delegationId]));
    await publishAll(portal.context);
    expect(await stateOf(both.checklistId)).toBe('not-held');
    expect((await verify(both.object)).problem).toBe('The certificate has resources that its issuer does not have');
    const { checklistId, object } = await signed(['AS64500']);
    await portal.db.change(activity, tx =>
      tx.rows(sql`update rpki_key set state = 'destroyed', sealed_private = null where ca_id =
      (select ca_id from rpki_ca where account_name = ${account}) and state = 'current'`),
    );
    expect(await stateOf(checklistId)).toBe('key-gone');
    expect((await verify(object)).problem).toContain('certifies now');
  });

  test('a checklist that ended before it was signed is left unsigned', async () => {
    await portal.db.change(activity, tx =>
      tx.rows(sql`update rpki_checklist set ends_at = ${instantAfter(new Date(), -1000)}::timestamptz`),
    );
    const { data } = await corin(api.rpkiChecklists.listChecklists, { account });
    expect(new Set(data!.rows.map(({ state }) => state))).toEqual(new Set(['expired', 'revoked']));
  });
});
