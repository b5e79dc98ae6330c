import { api } from '@portal/contract/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { confirmLink, linkIn } from '../../../test/mailed-links.ts';
import { kindsForRules, testPortal, type TestPortal } from '../../../test/portal.ts';

const account = 'EXAMPLE-AU';
const statusesOf = (answers: { status: number }[]): number[] => answers.map(({ status }) => status).toSorted((a, b) => a - b);
type Person = Awaited<ReturnType<TestPortal['as']>>;

describe.each(kindsForRules)('addresses and requests of one’s own on %s', kind => {
  let portal: TestPortal;
  let corin: Person;
  let bill: Person;
  beforeAll(async () => {
    portal = await testPortal(kind);
    [corin, bill] = [await portal.as('corin'), await portal.as('bill', { mfa: false })];
  });
  afterAll(() => portal[Symbol.asyncDispose]());
  const mine = async (person: Person) => (await person(api.contacts.getMyContact, { account })).data!;
  const lastLinkTo = async (address: string): Promise<string> =>
    linkIn((await portal.mailsTo(address)).findLast(({ body }) => body.includes('token='))!.body);

  test('one contact can be read separately, and contacts of other accounts are not found', async () => {
    const { contactId } = await mine(bill);
    expect((await corin(api.contacts.getContact, { account, contactId })).data).toMatchObject({ fullName: 'Bill Okonkwo', isMe: false });
    for (const wrong of ['x', '-'.repeat(36), crypto.randomUUID()])
      expect((await corin(api.contacts.getContact, { account, contactId: wrong })).status).toBe(404);
    const olive = await portal.as('olive');
    expect((await olive(api.contacts.getContact, { account: 'OTHER-SG', contactId })).status).toBe(404);
  });

  test('an address counts once confirmed, however often the link is opened, and the old one can undo it for a day', async () => {
    const before = await mine(bill);
    const asked = await bill(api.contacts.changeOwnEmail, { account, body: { version: before.version, email: 'bills@new.example' } });
    expect(asked.data).toMatchObject({ email: 'bill@example-au.example' });
    const link = await lastLinkTo('bills@new.example');
    const answers = await Promise.all(Array.from({ length: 10 }, () => confirmLink(portal, link)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await mine(bill)).toMatchObject({ email: 'bills@new.example' });
    const old = (await portal.mailsTo('bill@example-au.example')).at(-1)!;
    expect(old.body).toContain('undo it within 24 hours');
    expect((await portal.mailsTo('corin@example-au.example')).at(-1)!.subject).toContain('The address of Bill Okonkwo');
    expect((await confirmLink(portal, linkIn(old.body))).text).toContain('is bill@example-au.example again');
    expect(await mine(bill)).toMatchObject({ email: 'bill@example-au.example' });
    expect((await confirmLink(portal, linkIn(old.body))).status).toBe(410);
  });

  test('the last requested address counts, and a colleague’s cannot be taken', async () => {
    const ask = async (email: string) =>
      bill(api.contacts.changeOwnEmail, { account, body: { version: (await mine(bill)).version, email } });
    await ask('first@new.example');
    await ask('second@new.example');
    expect((await confirmLink(portal, await lastLinkTo('first@new.example'))).status).toBe(410);
    expect(await ask('TESS@example-au.example')).toMatchObject({ status: 409, errors: [{ code: 'ALREADY_CONTACT' }] });
    expect(await ask('bill@example-au.example')).toMatchObject({ status: 400 });
    const tess = await portal.as('tess');
    const { contactId, version } = await mine(bill);
    expect((await tess(api.contacts.changeContactEmail, { account, contactId, body: { version, email: 'x@new.example' } })).status).toBe(
      403,
    );
    await corin(api.contacts.removeContact, { account, contactId, body: { version } });
    expect(await confirmLink(portal, await lastLinkTo('second@new.example'))).toMatchObject({
      status: 409,
      text: expect.stringContaining('wasn’t found'),
    });
  });

  test('a request can be cancelled by its author, once, before it is answered', async () => {
    const tilda = await portal.as('tilda');
    const made = await tilda(api.contacts.askForPermission, { account, body: { permissions: ['member-details-update'] } });
    const { requestId } = made.data!;
    expect((await tilda(api.accessRequests.listOwnRequests, { account })).data).toMatchObject([
      { requestId, kind: 'permission', permissions: ['member-details-update'] },
    ]);
    const tess = await portal.as('tess');
    expect((await tess(api.accessRequests.cancelOwnRequest, { account, requestId })).status).toBe(404);
    const answers = await Promise.all([
      tilda(api.accessRequests.cancelOwnRequest, { account, requestId }),
      corin(api.accessRequests.resolveAccessRequest, { account, body: { requestId, decision: 'rejected', note: 'Not yours' } }),
    ]);
    expect(statusesOf(answers)).toEqual([200, 409]);
    expect(await tilda(api.accessRequests.cancelOwnRequest, { account, requestId })).toMatchObject({
      status: 409,
      errors: [{ code: 'ALREADY_RESOLVED' }],
    });
  });

  test('a person who asked to be linked can cancel it, and learns nothing about the account', async () => {
    const nadia = await portal.as('nadia');
    for (const accountName of [account, 'NEVER-WAS']) {
      await nadia(api.accessRequests.linkAccount, { body: { accountName } });
      expect((await nadia(api.accessRequests.cancelLinkRequest, { name: accountName })).status).toBe(204);
    }
    await portal.runTasks();
    expect((await nadia(api.accessRequests.listLinkRequests, {})).data).toEqual([]);
    expect((await corin(api.accessRequests.listAccessRequests, { account })).data!.filter(({ kind }) => kind === 'link')).toEqual([]);
  });

  test('an invitation to a verified address is answered without its link, by its owner only', async () => {
    const nadia = await portal.as('nadia');
    await corin(api.contacts.inviteContact, {
      account,
      body: { fullName: 'Nadia Haddad', email: 'Nadia@newcomer.example', contactTypes: ['technical'] },
    });
    const [invitation] = (await nadia(api.invitations.listOwnInvitations, {})).data!;
    expect(invitation).toMatchObject({ accountName: account, contactTypes: ['technical'], invitedBy: 'Corin Achterberg' });
    const { invitationId } = invitation!;
    const olive = await portal.as('olive');
    expect((await olive(api.invitations.listOwnInvitations, {})).data).toEqual([]);
    expect((await olive(api.invitations.acceptOwnInvitation, { invitationId })).status).toBe(404);
    const answers = await Promise.all([1, 2].map(() => nadia(api.invitations.acceptOwnInvitation, { invitationId })));
    expect(statusesOf(answers)).toEqual([200, 410]);
    expect((await mine(nadia)).contactTypes).toEqual(['technical']);
    const leaving = await nadia(api.contacts.leaveAccount, { account, body: {} });
    expect(leaving).toMatchObject({ status: 200, data: { removed: true, words: 'Nadia Haddad is no longer a contact of the account.' } });
  });
});
