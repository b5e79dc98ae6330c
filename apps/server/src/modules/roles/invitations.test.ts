import type { Client } from '@portal/api-client';
import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';

const line = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };
const body = { fullName: 'Nadia Haddad', email: 'nadia@newcomer.example', role: 'support', reason: 'Joins support' };

describe.each(kindsForRules)('invitations to registry staff on %s', kind => {
  let portal: TestPortal;
  let ola: Client;
  let nadia: Client;
  beforeAll(async () => {
    portal = await testPortal(kind);
    [ola, nadia] = [await portal.as('ola'), await portal.as('nadia')];
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  const invite = async (more: Partial<typeof body> = {}): Promise<string> => {
    const asked = { ...body, ...more };
    expect((await ola(api.roles.inviteStaff, { body: asked })).errors).toBeUndefined();
    const mail = (await portal.mailsTo(asked.email)).at(-1)!;
    return /accept-staff-invitation\/([\w-]{43})/.exec(mail.body)![1]!;
  };
  const accept = (as: Client, acceptanceToken: string) => as(api.roles.acceptStaffInvitation, { acceptanceToken });

  test('of a login that exists give nothing until its person accepts, signed in with it', async () => {
    const acceptanceToken = await invite();
    expect((await nadia(api.people.getMe, {})).data).toMatchObject({ staff: false });
    expect((await ola(api.roles.listStaff, {})).data!.invitations).toMatchObject([
      { fullName: 'Nadia Haddad', email: body.email, role: 'Support', invitedBy: 'Ola Brandt' },
    ]);
    const mail = (await portal.mailsTo(body.email)).at(-1)!;
    expect(mail.body).toContain('It counts from ');
    expect(mail.body).toContain('Permissions: Read accounts, Answer tickets, and Announcements and events.');
    const corin = await portal.as('corin');
    expect((await corin(api.roles.getStaffInvitation, { acceptanceToken })).data).toMatchObject({ state: 'other-login' });
    expect(await accept(corin, acceptanceToken)).toMatchObject({ status: 403, errors: [{ code: 'EMAIL_MISMATCH' }] });
    expect((await corin(api.people.getMe, {})).data).toMatchObject({ staff: false });
    expect((await nadia(api.roles.getStaffInvitation, { acceptanceToken })).data).toMatchObject({
      state: 'open',
      role: 'Support',
      invitedBy: 'Ola Brandt',
      reason: 'Joins support',
      permissions: expect.arrayContaining(['support']),
    });
    expect((await accept(nadia, acceptanceToken)).data).toEqual({ role: 'Support' });
    // Processes learn of it by a notice of the database.
    await expect
      .poll(async () => (await nadia(api.people.getMe, {})).data)
      .toMatchObject({ staff: true, staffPermissions: expect.arrayContaining(['support']) });
    for (const overseer of ['ola', 'ravi', 'audra'])
      expect((await portal.mailsTo(`${overseer}@registry.example`)).at(-1)!.subject).toBe(
        'Nadia Haddad is registry staff with the role Support',
      );
    expect((await accept(nadia, acceptanceToken)).errors![0]!.code).toBe('INVITATION_USED');
    const { loginId } = await portal.db.read
      .selectFrom('login')
      .select('loginId')
      .where('username', '=', 'nadia')
      .executeTakeFirstOrThrow();
    expect((await ola(api.roles.endStaff, { loginId, body: { reason: 'Helped' } })).status).toBe(200);
  });

  test('are void once withdrawn, sent again, expired, or once who invited no longer administers staff', async () => {
    await portal.db.change(line, change => change.rows(sql`update login set disabled_at = null, staff = false where username = 'nadia'`));
    // The end of access ended the session.
    nadia = await portal.as('nadia');
    const first = await invite();
    const second = await invite();
    expect((await accept(nadia, first)).errors![0]!.code).toBe('INVITATION_EXPIRED');
    const { invitationId } = (await ola(api.roles.listStaff, {})).data!.invitations[0]!;
    expect((await ola(api.roles.revokeStaffInvitation, { invitationId })).data!.invitations).toEqual([]);
    expect((await ola(api.roles.revokeStaffInvitation, { invitationId })).status).toBe(404);
    expect((await accept(nadia, second)).errors![0]!.code).toBe('INVITATION_EXPIRED');
    const third = await invite();
    const set = (withdrawn: string) =>
      portal.db.change(line, change =>
        change.rows(sql`update staff_assignment set ${sql.raw(withdrawn)} where ready_made = 'administrator'
          and login_id = (select login_id from login where username = 'ola')`),
      );
    await set(`withdrawn_at = now(), withdrawn_reason = 'Left'`);
    expect(await accept(nadia, third)).toMatchObject({
      status: 409,
      errors: [{ code: 'INVITER_LEFT', message: expect.stringContaining('Ola Brandt') }],
    });
    await set('withdrawn_at = null, withdrawn_reason = null');
    expect((await accept(nadia, third)).status).toBe(200);
  });

  test('of tokens that do not exist are refused, and guesses slowed down', async () => {
    const bill = await portal.as('bill');
    for (let guess = 0; guess < 10; guess++) expect((await accept(bill, `guess-${guess}`)).errors![0]!.code).toBe('INVITATION_NOT_FOUND');
    expect((await accept(bill, 'guess')).status).toBe(429);
  });

  test('take no name that reads as another', async () => {
    for (const fullName of ['Ola\u202eBrandt', 'Ola\u200bBrandt', ''])
      expect(await ola(api.roles.inviteStaff, { body: { ...body, fullName, email: 'x@registry.example' } })).toMatchObject({
        status: 400,
        errors: [{ field: 'fullName' }],
      });
  });
});
