import { permissionKeys } from '@portal/contract';
import { api } from '@portal/contract/api';
import type { RouteChanges, SavedRouteChanges } from '@portal/contract/routes/routes';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { freezeAddress } from '../mail/index.ts';
import { closeDelegations, delegate } from '../resources/delegations.ts';
import { checkRepository, listVrps, publishAll } from '../rpki/index.ts';
import { anyNumbers } from '../../../test/any-numbers.ts';

type Client = Awaited<ReturnType<TestPortal['as']>>;
const account = 'EXAMPLE-AU';
const line = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) };
const route = (prefix: string, asn: string): RouteChanges['add'][number] => ({ prefix, asn, roa: true }) as RouteChanges['add'][number];

describe.each(kindsForRules)('conflicting changes on %s', kind => {
  let portal: TestPortal;
  let corin: Client;
  let tess: Client;
  beforeAll(async () => {
    portal = await testPortal(kind);
    await portal.db.change(line, change =>
      change
        .updateTable('contact')
        .set({ contactTypes: ['corporate'], permissions: [...permissionKeys] })
        .where('accountName', '=', account)
        .where('fullName', 'like', 'Tess%')
        .execute(),
    );
    [corin, tess] = await Promise.all([portal.as('corin'), portal.as('tess')]);
    await corin(api.rpki.enable, { account });
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  const save = async (changes: Partial<SavedRouteChanges>, who = corin) => {
    const { version } = (await corin(api.routes.listRoutes, { account, query: { limit: 1 } })).data!;
    return who(api.routes.saveRoutes, { account, body: { add: [], change: [], remove: [], adopt: [], text: '', version, ...changes } });
  };
  /** Publishes, and returns the payloads that validators find; a problem they would have fails the test. */
  const published = async (): Promise<string[]> => {
    await publishAll(portal.context);
    const { problems, vrps } = await checkRepository(portal.db.read, new Date());
    const listed = await listVrps(portal.db.read);
    expect([problems, vrps]).toEqual([[], listed.length]);
    return listed.map(({ accountName, prefix, asn }) => `${accountName} AS${asn} ${prefix}`);
  };
  const wanted = async (prefix: string) =>
    (await portal.db.read.rows<{ asn: number }>(sql`select asn from roa where account_name = ${account} and prefix = ${prefix}::cidr`))
      .length;

  test('of two people who undo the same change at the same time, one succeeds and the other learns that it is done', async () => {
    const saved = (await save({ add: [route('198.18.25.0/24', 'AS64500')] })).data!;
    const undo = (who: Client) => who(api.routes.undoChange, { account, changeId: saved.changeId });
    const answers = await Promise.all([undo(corin), undo(tess), undo(corin), undo(tess)]);
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    expect(answers.flatMap(({ errors }) => errors?.map(({ code }) => code) ?? [])).toEqual(Array(3).fill('ALREADY_RESOLVED'));
    expect(await wanted('198.18.25.0/24')).toBe(0);
    const undone = await portal.db.read.rows(sql`select from route_change where undoes = ${saved.changeId}::bigint`);
    expect(undone).toHaveLength(1);
  });

  test('a concurrent undo and change of the same route never mix', async () => {
    const saved = (await save({ add: [route('198.18.26.0/24', 'AS64500')] })).data!;
    const { version } = (await corin(api.routes.listRoutes, { account, query: { limit: 1 } })).data!;
    const [undo, other] = await Promise.all([
      corin(api.routes.undoChange, { account, changeId: saved.changeId }),
      save({ version, add: [route('198.18.27.0/24', 'AS64500')] }, tess),
    ]);
    // One of them was first. An outdated page is refused with the changes; undoing an unchanged route still works.
    expect([undo.status, other.status]).toEqual([200, expect.toBeOneOf([200, 412])]);
    expect(await wanted('198.18.26.0/24')).toBe(0);
    expect(await wanted('198.18.27.0/24')).toBe(other.status === 200 ? 1 : 0);
  });

  test('a proposed ROA whose prefix is transferred meanwhile is refused on approval, and never published', async () => {
    expect((await corin(api.proposals.setTwoPersonRule, { account, body: { on: true } })).data).toEqual({ rule: true });
    const proposed = await save({ add: [route('203.0.113.0/24', 'AS64500')] });
    expect(proposed).toMatchObject({ status: 409, errors: [{ code: 'SECOND_PERSON' }] });
    const [row] = await portal.db.read.selectFrom('delegation').select('delegationId').where('resource', '=', '203.0.113.0/24').execute();
    await portal.db.change(line, async change => {
      await closeDelegations(change, [row!.delegationId]);
      await delegate(change, { resource: '203.0.113.0/24', accountName: 'OTHER-SG', type: 'assigned' }, anyNumbers);
    });
    const [waiting] = (await tess(api.proposals.listProposals, { account })).data!.waiting;
    const approve = () =>
      tess(api.proposals.approveProposal, {
        account,
        proposalId: waiting!.proposalId,
        body: { fingerprint: waiting!.fingerprint },
      });
    const approved = await approve();
    expect(approved.data).toBeUndefined();
    expect(approved.errors![0]!.message).toMatch(/not inside a delegation of this account/);
    expect(await wanted('203.0.113.0/24')).toBe(0);
    expect(await published()).not.toContainEqual(expect.stringContaining('203.0.113.0/24'));
  });

  test('a frozen login can’t complete anything under way, and a colleague undoes the change that caused it', async () => {
    // Proposals waiting for a second person are excluded.
    await portal.db.change(line, change => change.deleteFrom('twoPersonRule').where('accountName', '=', account).execute());
    const attack = (await save({ add: [route('198.18.28.0/24', 'AS65536')] })).data!;
    const [mail] = await portal.db.read.rows<{ freezeLinkId: string }>(
      sql`select freeze_link_id from mail where freeze_link_id is not null and recipient = 'corin@example-au.example' order by mail_id desc limit 1`,
    );
    const link = new URL(freezeAddress(portal.config, mail!.freezeLinkId));
    const page = await (await portal.request(link.pathname + link.search)).text();
    const csrf = /name="csrf" value="([^"]+)"/.exec(page)![1]!;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const freeze = portal.request(link.pathname + link.search, { method: 'POST', headers, body: new URLSearchParams({ csrf }).toString() });
    const [, more] = await Promise.all([freeze, save({ add: [route('198.18.29.0/24', 'AS65536')] })]);
    await expect.poll(async () => (await corin(api.accounts.listAccounts, {})).status, { timeout: 5000 }).toBe(401);
    expect((await corin(api.routes.undoChange, { account, changeId: attack.changeId })).status).toBe(401);
    expect(await wanted('198.18.29.0/24')).toBe(more.status === 200 ? 1 : 0);
    expect((await tess(api.routes.undoChange, { account, changeId: attack.changeId })).status).toBe(200);
    expect(await published()).not.toContainEqual(expect.stringContaining('198.18.28.0/24'));
  });
});
