import { createClient } from '@portal/api-client';
import { api } from '@portal/contract/api';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import type { JWTPayload } from 'jose';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { foreignIssuer } from '../../../test/foreign-issuer.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { takeStaffRoles } from '../../../test/staff-roles.ts';

/** Puts ended roles so far back that they keep no other away. */
const aged = (
  which: RawBuilder<unknown>,
) => sql`update staff_assignment set given_at = given_at - interval '9 years', starts_at = starts_at - interval '9 years',
  withdrawn_at = withdrawn_at - interval '8 years' where ${which} returning 1 as aged`;
const line = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };
const groups = 'noc=routing; cn=Hosts,ou=groups=hostmaster; fees=finance; board=director; admins=administrator; noc=support';

test('the setting names each group with a role, and is refused with a sentence otherwise', () => {
  const read = (value: string) => readConfig({ ISSUER_URI: 'https://id.example', STAFF_GROUPS: value }).staffGroups;
  expect(read('')).toEqual([]);
  expect(read('noc=routing; cn=Hosts,ou=groups = hostmaster;noc=12')).toEqual([
    { group: 'noc', role: 'routing' },
    { group: 'cn=Hosts,ou=groups', role: 'hostmaster' },
    { group: 'noc', role: '12' },
  ]);
  for (const wrong of ['noc', 'noc=', '=routing', 'noc=boss', 'noc=0', 'noc=routing;noc=routing', 'noc=routing,fees=finance='])
    expect(() => read(wrong), wrong).toThrow('must be pairs such as noc=routing, separated by semicolons');
  expect(() => readConfig({ STAFF_GROUPS: 'noc=routing' })).toThrow('STAFF_GROUPS is for another provider (ISSUER_URI)');
});

describe.each(kindsForRules)('roles by groups of another provider on %s', kind => {
  let portal: TestPortal;
  let provider: Awaited<ReturnType<typeof foreignIssuer>>;
  let issued = 0;
  beforeAll(async () => {
    provider = await foreignIssuer();
    portal = await testPortal(kind, { ISSUER_URI: provider.issuer, STAFF_GROUPS: groups, CLAIM_NAMES: 'groups=memberOf' });
    // People of the demo registry sign in there.
    await portal.db.change(line, change =>
      change.rows(
        sql`insert into login_subject (issuer, subject, login_id) select ${provider.issuer}, username, login_id from login where demo_role is not null returning 1 as made`,
      ),
    );
    // Who holds none by groups only.
    for (const name of ['stella', 'stan', 'dora']) await takeStaffRoles(portal.db, name);
    await portal.db.change(line, change => change.rows(aged(sql`withdrawn_at is not null`)));
  });
  afterAll(async () => {
    await portal[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });

  /** A new token of a person, later than all before. */
  const tokenOf = (sub: string, memberOf: readonly string[] | undefined, more: JWTPayload = {}) => {
    issued++;
    const at = Math.floor(Date.now() / 1000) - 600 + issued;
    return provider.sign({
      sub,
      memberOf,
      iat: at,
      amr: ['pwd', 'mfa'],
      auth_time: Math.floor(Date.now() / 1000),
      email: `${sub}@registry.example`,
      name: sub,
      ...more,
    });
  };
  const clientOf = (token: string) => createClient({ baseUrl: '', token: () => token, fetch: (url, init) => portal.request(url, init) });
  const as = async (sub: string, memberOf?: readonly string[]) => clientOf(await tokenOf(sub, memberOf));
  const rolesOf = async (sub: string, memberOf?: readonly string[]): Promise<string[]> => {
    const { data, status } = await (await as(sub, memberOf))(api.roles.getOwnRoles, {});
    return data ? data.roles.map(({ name }) => name).toSorted() : [String(status)];
  };
  const onPage = async (name: string) =>
    (await (await as('ola'))(api.roles.listStaff, {})).data!.members.find(
      ({ fullName, username }) => fullName === name || username === name,
    )!;
  const linesOf = async (): Promise<unknown[]> =>
    (
      await portal.db.read
        .selectFrom('activity')
        .select('details')
        .where('action', '=', 'identity.applyGroups')
        .orderBy('activityId')
        .execute()
    ).map(({ details }) => details);

  test('a person who was never seen before is staff with the roles of their groups, and gets no other', async () => {
    expect(await rolesOf('newcomer', ['noc', 'NOC', 'everyone'])).toEqual(['Routing', 'Support']);
    expect(await onPage('newcomer')).toMatchObject({
      roles: [
        { name: 'Routing', group: 'noc', givenBy: null, reason: 'In the group noc of the identity provider' },
        { name: 'Support', group: 'noc' },
      ],
    });
    expect((await linesOf()).at(-1)).toMatchObject({ person: 'newcomer', given: ['Routing', 'Support'] });
    for (const overseer of ['ola', 'audra']) {
      const mail = (await portal.mailsTo(`${overseer}@registry.example`)).at(-1)!;
      expect(mail.subject).toBe('Groups changed the roles of newcomer');
      expect(mail.body).toContain('Routing was given: newcomer is in the group noc.');
    }
    // Without a group there is no way in, and members learn of no desk.
    expect(await rolesOf('stranger', ['everyone'])).toEqual(['404']);
    expect(await rolesOf('outsider')).toEqual(['404']);
  });

  test('a token that says nothing new writes nothing', async () => {
    const before = await linesOf();
    expect(await rolesOf('newcomer', ['noc'])).toEqual(['Routing', 'Support']);
    expect(await linesOf()).toEqual(before);
  });

  test('a group that is taken away takes its roles away with the next token, and no others; an older token brings none back', async () => {
    const older = await tokenOf('stan', ['fees']);
    expect(await rolesOf('stan', ['fees', 'cn=Hosts,ou=groups'])).toEqual(['Finance', 'Hostmaster']);
    expect(await rolesOf('stan', ['cn=Hosts,ou=groups'])).toEqual(['Hostmaster']);
    expect((await clientOf(older)(api.roles.getOwnRoles, {})).data!.roles.map(({ name }) => name)).toEqual(['Hostmaster']);
    expect((await linesOf()).at(-1)).toMatchObject({ olderToken: true });
    // Ola's role was given by another person: no group, nor the lack of one, touches it.
    expect(await rolesOf('ola', [])).toEqual(['Administrator']);
    // Who has none left is staff without a role, whose cases a colleague hands over.
    expect(await rolesOf('stan', [])).toEqual([]);
    expect((await portal.mailsTo('ola@registry.example')).at(-1)!.body).toContain('has no role left. End the access on the page of staff');
    expect(await (await as('stan', []))(api.roles.listStaff, {})).toMatchObject({ status: 404 });
  });

  test('what policy keeps in different hands is refused by name, once, and given when the other side is gone', async () => {
    expect(await rolesOf('dora', ['fees', 'board'])).toEqual(['Finance']);
    expect((await linesOf()).at(-1)).toMatchObject({ given: ['Finance'], refused: ['Director (board)'] });
    const refused = await onPage('dora');
    expect(refused.groupRefusals).toEqual([
      {
        group: 'board',
        role: 'Director',
        why: expect.stringMatching(/^Policy keeps “Record payments” and “Write off and refund” in different hands, and .* would hold both/),
      },
    ]);
    const before = (await linesOf()).length;
    expect(await rolesOf('dora', ['fees', 'board'])).toEqual(['Finance']);
    expect(await linesOf()).toHaveLength(before);
    // Not held by turns either.
    expect(await rolesOf('dora', ['board'])).toEqual([]);
    expect((await onPage('dora')).groupRefusals).toMatchObject([{ why: expect.stringContaining('held the other side until lately') }]);
    await portal.db.change(line, change => change.rows(aged(sql`login_id = ${refused.loginId} and withdrawn_at is not null`)));
    expect(await rolesOf('dora', ['board'])).toEqual(['Director']);
    expect((await onPage('dora')).groupRefusals).toEqual([]);
    expect(await rolesOf('dora', [])).toEqual([]);
  });

  test('what a colleague withdraws stays withdrawn while the person is in the group', async () => {
    expect(await rolesOf('stella', ['noc'])).toEqual(['Routing', 'Support']);
    const { roles: held } = await onPage('stella');
    const ola = await as('ola');
    const { assignmentId } = held.find(({ name }) => name === 'Routing')!;
    expect((await ola(api.roles.withdrawRole, { assignmentId, body: { reason: 'Phished' } })).status).toBe(200);
    expect(await rolesOf('stella', ['noc'])).toEqual(['Support']);
    expect((await onPage('stella')).groupRefusals).toMatchObject([{ role: 'Routing', why: expect.stringMatching(/^ola withdrew it on /) }]);
    expect(await rolesOf('stella', [])).toEqual([]);
    expect(await rolesOf('stella', ['noc'])).toEqual(['Routing', 'Support']);
    expect(await rolesOf('stella', [])).toEqual([]);
  });

  test('who left staff does not come back by a group', async () => {
    expect(await rolesOf('leaver', ['noc'])).toEqual(['Routing', 'Support']);
    const { loginId } = await onPage('leaver');
    const ola = await as('ola');
    expect((await ola(api.roles.endStaff, { loginId, body: { reason: 'Leaves' } })).status).toBe(200);
    await expect.poll(() => rolesOf('leaver', ['noc'])).toEqual(['401']);
    for (const refused of [
      await ola(api.roles.giveRole, { loginId, body: { role: 'support', reason: 'Comes back' } }),
      await ola(api.roles.inviteStaff, {
        body: { fullName: 'leaver', email: 'leaver@registry.example', role: 'support', reason: 'Comes back' },
      }),
    ])
      expect(refused).toMatchObject({
        status: 409,
        errors: [{ code: 'LEFT_STAFF', message: expect.stringContaining('The operator enables it with “registry login enable') }],
      });
  });

  test('people whose roles the groups gave lately are no second persons for each other; older ones are', async () => {
    for (const sub of ['stan', 'stella']) expect(await rolesOf(sub, ['cn=Hosts,ou=groups'])).toEqual(['Hostmaster']);
    const stan = await as('stan', ['cn=Hosts,ou=groups']);
    const propose = async (economy: string) => {
      const { version } = (await stan(api.desk.getAccountSheet, { accountName: 'EXAMPLE-AU' })).data!;
      return stan(api.organisations.setEconomy, { accountName: 'EXAMPLE-AU', body: { version, economy, reason: 'Moved' } });
    };
    expect((await propose('NZ')).errors).toMatchObject([
      {
        code: 'NO_SECOND_PERSON',
        message: expect.stringContaining(
          'because The identity provider lately gave the role. A registry that is being set up can do without these days',
        ),
      },
    ]);
    expect((await onPage('stella')).roles[0]!.secondFrom).toBe(
      instantAfter(new Date((await onPage('stella')).roles[0]!.givenAt), 14 * DAY_MS),
    );
    await portal.db.change(line, change =>
      change.rows(sql`update staff_assignment set given_at = now() - interval '15 days', starts_at = now() - interval '15 days'
        where from_group is not null and withdrawn_at is null and login_id = (select login_id from login where username = 'stella') returning 1 as aged`),
    );
    expect((await propose('FJ')).errors).toMatchObject([{ code: 'SECOND_PERSON' }]);
  });

  test('the last administrator stays, whatever the groups say, until there is another one', async () => {
    expect(await rolesOf('chief', ['admins'])).toEqual(['Administrator']);
    for (const name of ['ola', 'ravi']) await takeStaffRoles(portal.db, name);
    expect(await rolesOf('chief', [])).toEqual(['Administrator']);
    const chief = await as('chief', []);
    const refusals = async () => (await chief(api.roles.listStaff, {})).data!.members.find(({ isMe }) => isMe)!.groupRefusals;
    expect(await refusals()).toMatchObject([
      {
        group: 'admins',
        role: 'Administrator',
        why: expect.stringMatching(/^No longer in the group, but the role stays: chief is the last person who can administer staff/),
      },
    ]);
    const before = (await linesOf()).length;
    expect(await rolesOf('chief', [])).toEqual(['Administrator']);
    expect(await linesOf()).toHaveLength(before);
    expect(await rolesOf('ravi', ['admins'])).toContain('Administrator');
    expect(await rolesOf('chief', [])).toEqual([]);
  });
});
