import type { Client } from '@portal/api-client';
import { api } from '@portal/contract/api';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { giveStaffRole, takeStaffRoles } from '../../../test/staff-roles.ts';

const account = 'EXAMPLE-AU';
const line = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };
const names = ['ola', 'ravi', 'stella', 'stan', 'dora'] as const;

describe.each(kindsForRules)('second persons among registry staff on %s', kind => {
  let portal: TestPortal;
  let people: Record<(typeof names)[number], Client>;
  let loginIds: Record<string, string>;
  beforeAll(async () => {
    portal = await testPortal(kind);
    people = Object.fromEntries(await Promise.all(names.map(async name => [name, await portal.as(name)]))) as typeof people;
    const logins = await portal.db.read.selectFrom('login').select(['username', 'loginId']).execute();
    loginIds = Object.fromEntries(logins.map(({ username, loginId }) => [username, loginId]));
  });
  afterAll(() => portal[Symbol.asyncDispose]());
  beforeEach(async () => {
    await portal.db.change(line, change =>
      change.rows(sql`update proposal set state = 'withdrawn', decided_at = now() where state = 'pending'`),
    );
    for (const name of ['stella', 'stan', 'dora']) await takeStaffRoles(portal.db, name);
  });

  const give = async (by: Client, name: string, role: string): Promise<void> => {
    const body = { role, reason: 'Joins the hostmasters' };
    expect((await by(api.roles.giveRole, { loginId: loginIds[name]!, body })).errors).toBeUndefined();
  };
  const economies = ['NZ', 'FJ', 'TO', 'WS', 'VU', 'PG'];
  let tried = 0;
  const propose = async (as: Client) => {
    const { version } = (await as(api.desk.getAccountSheet, { accountName: account })).data!;
    const economy = economies[tried++ % economies.length]!;
    return as(api.organisations.setEconomy, { accountName: account, body: { version, economy, reason: 'Moved' } });
  };
  const waitingFor = async (as: Client) => (await as(api.proposals.listStaffProposals, {})).data!.waiting[0]!;
  const approve = async (as: Client) => {
    const { proposalId, fingerprint } = await waitingFor(as);
    return as(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } });
  };
  const age = (name: string, days: number) =>
    portal.db.change(line, change =>
      change.rows(sql`update staff_assignment set given_at = now() - make_interval(days => ${days}::integer),
        starts_at = now() - make_interval(days => ${days}::integer) where login_id = ${loginIds[name]!} and withdrawn_at is null`),
    );
  const day = (instant: string) => new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(instant));

  test('two colleagues that one administrator made lately are no second persons for each other', async () => {
    await give(people.ola, 'stan', 'hostmaster');
    await give(people.ola, 'dora', 'hostmaster');
    const from = instantAfter(new Date(), 14 * DAY_MS);
    expect(await propose(people.stan)).toMatchObject({
      status: 409,
      errors: [
        {
          code: 'NO_SECOND_PERSON',
          message:
            `A second person with two-factor is needed first: Dora Kim counts as one from ${day(from)}, because Ola Brandt lately gave the role. A registry that is being set up can do without these days: staffSecondPersonDays in its profile`.replace(
              'Dora Kim',
              (await portal.db.read.selectFrom('login').select('fullName').where('username', '=', 'dora').executeTakeFirstOrThrow())
                .fullName,
            ),
        },
      ],
    });
    // An independent colleague can; to the other one the desk says why not, and the call refuses.
    await giveStaffRole(portal.db, 'stella', 'hostmaster');
    expect(await propose(people.stan)).toMatchObject({
      status: 409,
      errors: [{ code: 'SECOND_PERSON', message: expect.stringContaining('Stella Kowalski can approve it') }],
    });
    expect(await waitingFor(people.dora)).toMatchObject({ tooNew: { givenBy: 'Ola Brandt' } });
    expect(await waitingFor(people.stella)).toMatchObject({ tooNew: null });
    expect(await approve(people.dora)).toMatchObject({
      status: 409,
      errors: [{ code: 'ROLE_TOO_NEW', message: expect.stringContaining('Ola Brandt lately gave you or Stan Petrov the role for this') }],
    });
    expect((await approve(people.stella)).status).toBe(200);
  });

  test('the days over, they are; so are colleagues of different administrators, and those whose role is old', async () => {
    await give(people.ola, 'stan', 'hostmaster');
    await give(people.ravi, 'dora', 'hostmaster');
    expect((await propose(people.stan)).errors![0]!.code).toBe('SECOND_PERSON');
    expect((await approve(people.dora)).status).toBe(200);
    await takeStaffRoles(portal.db, 'dora');
    await give(people.ola, 'dora', 'hostmaster');
    expect((await propose(people.stan)).errors![0]!.code).toBe('NO_SECOND_PERSON');
    await age('dora', 13);
    expect((await propose(people.stan)).errors![0]!.code).toBe('NO_SECOND_PERSON');
    await age('dora', 15);
    expect((await propose(people.stan)).errors![0]!.code).toBe('SECOND_PERSON');
    expect((await approve(people.dora)).status).toBe(200);
  });

  test('who gave a role lately does not approve what its holder proposes, nor the other way round', async () => {
    await giveStaffRole(portal.db, 'stella', 'hostmaster');
    await giveStaffRole(portal.db, 'stella', 'administrator');
    await give(people.stella, 'stan', 'hostmaster');
    for (const proposer of [people.stella, people.stan]) expect((await propose(proposer)).errors![0]!.code).toBe('NO_SECOND_PERSON');
  });

  test('an administrator stands behind those that their colleagues invite, and gets no role back from them', async () => {
    await give(people.ola, 'stella', 'administrator');
    await give(people.stella, 'stan', 'hostmaster');
    await give(people.ola, 'dora', 'hostmaster');
    expect((await propose(people.stan)).errors![0]!.code).toBe('NO_SECOND_PERSON');
    // Also after the one between them lost the role.
    await takeStaffRoles(portal.db, 'stella');
    expect((await propose(people.stan)).errors![0]!.code).toBe('NO_SECOND_PERSON');
    await give(people.ola, 'stella', 'administrator');
    const back = await people.stella(api.roles.giveRole, { loginId: loginIds['ola']!, body: { role: 'support', reason: 'In return' } });
    expect(back).toMatchObject({
      status: 403,
      errors: [{ code: 'GIVER_TOO_NEW', message: expect.stringMatching(/^Ola Brandt stands behind your right to give roles/) }],
    });
    expect((await people.ravi(api.roles.giveRole, { loginId: loginIds['ola']!, body: { role: 'support', reason: 'Helps' } })).status).toBe(
      200,
    );
  });

  test('a registry that is being set up can do without the days', async () => {
    await using own = await testPortal(kind);
    Object.assign(own.context.profile, { staffSecondPersonDays: 0 });
    for (const name of ['stella', 'stan', 'dora']) await takeStaffRoles(own.db, name);
    const ola = await own.as('ola');
    for (const name of ['stan', 'dora'])
      expect((await ola(api.roles.giveRole, { loginId: loginIds[name]!, body: { role: 'hostmaster', reason: 'Begins' } })).status).toBe(
        200,
      );
    expect((await propose(await own.as('stan'))).errors![0]!.code).toBe('SECOND_PERSON');
  });
});
