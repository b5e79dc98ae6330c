import { api } from '@portal/contract/api';
import { helperPermissions } from '@portal/contract/contacts/helper-permissions';
import { DAY_MS, utcDay } from '@portal/contract/days';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { runContactDeadlines } from './deadlines.ts';

const account = 'EXAMPLE-AU';
const day = (ahead: number): string => utcDay(Date.now() + ahead * DAY_MS);
const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };
const statusesOf = (answers: { status: number }[]): number[] => answers.map(({ status }) => status).toSorted((a, b) => a - b);
type Person = Awaited<ReturnType<TestPortal['as']>>;

describe.each(kindsForRules)('contacts who act for the account, on %s', kind => {
  let portal: TestPortal;
  let corin: Person;
  beforeAll(async () => {
    portal = await testPortal(kind);
    corin = await portal.as('corin');
  });
  afterAll(() => portal[Symbol.asyncDispose]());
  const everybody = async () => (await corin(api.contacts.listContacts, { account })).data!.rows;
  const named = async (name: string) => (await everybody()).find(({ fullName }) => fullName === name)!;
  const others = async () => (await everybody()).filter(({ isMe, status }) => !isMe && status === 'active');
  const keepAll = async () =>
    (await others()).map(({ contactId, version }) => ({
      contactId,
      version,
      decision: 'keep' as 'keep' | 'narrow' | 'remove',
      reason: '',
    }));

  test('a helper gets the chosen permissions of resources and whois, is shown as a helper, and can’t get any others', async () => {
    const invite = (permissions: readonly string[], until = day(30)) =>
      corin(api.contacts.inviteHelper, {
        account,
        body: {
          fullName: 'Nadia Haddad',
          email: 'nadia@newcomer.example',
          phone: '',
          position: 'Consultant',
          until,
          permissions: permissions as never,
        },
      });
    expect((await invite(['member-billing-view'])).status).toBe(400);
    expect(await invite(['resources-view'], day(-1))).toMatchObject({
      status: 400,
      errors: [{ message: expect.stringContaining('is over') }],
    });
    expect((await invite(['resources-view'], day(500))).status).toBe(400);
    expect(
      (
        await (
          await portal.as('tess')
        )(api.contacts.inviteHelper, {
          account,
          body: { fullName: 'X Y', email: 'x@y.example', phone: '', position: '', until: day(3), permissions: ['resources-view'] },
        })
      ).status,
    ).toBe(403);
    expect(helperPermissions.some(key => /contact|billing|users|vot|member-/.test(key))).toBe(false);
    expect(await invite(['resources-view', 'roas-update'])).toMatchObject({
      status: 200,
      data: { status: 'invited', helperUntil: `${day(31)}T00:00:00.000Z`, permissions: ['roas-update', 'resources-view'] },
    });
    const nadia = await portal.as('nadia');
    const [invitation] = (await nadia(api.invitations.listOwnInvitations, {})).data!;
    await nadia(api.invitations.acceptOwnInvitation, { invitationId: invitation!.invitationId });
    const helper = await named('Nadia Haddad');
    const change = (body: object) =>
      corin(api.contacts.updateContact, { account, contactId: helper.contactId, body: { version: helper.version, ...body } });
    expect(await change({ permissions: ['resources-view', 'member-billing-view'] })).toMatchObject({ status: 403 });
    expect((await change({ contactTypes: ['billing'] })).status).toBe(400);
    expect((await corin(api.contacts.listContacts, { account, query: { mark: 'helper' } })).data!.total).toBe(1);
    const { lines } = (await corin(api.activityLog.listActivities, { account, query: { actor: 'helper' } })).data!;
    expect(lines.map(({ actor }) => actor.name)).toEqual(['Nadia Haddad']);
  });

  test('a helper is warned a week before the end, can be extended, and ends automatically', async () => {
    const { contactId, version } = await named('Nadia Haddad');
    const ends = (until: string, at = version) => corin(api.contacts.setHelperEnd, { account, contactId, body: { version: at, until } });
    const { data } = await ends(day(3));
    await runContactDeadlines(portal.db, new Date());
    await runContactDeadlines(portal.db, new Date());
    const warnings = (await portal.mailsTo('nadia@newcomer.example')).filter(({ body }) =>
      body.includes('A corporate contact can extend it'),
    );
    expect(warnings).toHaveLength(1);
    expect((await ends(day(5))).status).toBe(412);
    expect((await ends(day(5), data!.version)).status).toBe(200);
    const nadia = await portal.as('nadia');
    expect((await nadia(api.contacts.getMyContact, { account })).status).toBe(200);
    await portal.db.change(line, change =>
      change.updateTable('contact').set({ helperUntil: '2020-01-01T00:00:00Z' }).where('contactId', '=', contactId).execute(),
    );
    // Before any review.
    expect((await nadia(api.contacts.getMyContact, { account })).status).toBe(404);
    await Promise.all([runContactDeadlines(portal.db, new Date()), runContactDeadlines(portal.db, new Date())]);
    expect(await named('Nadia Haddad')).toBeUndefined();
    expect((await portal.mailsTo('nadia@newcomer.example')).filter(({ subject }) => subject.includes('no longer'))).toHaveLength(1);
  });

  test('a review has to decide about every contact', async () => {
    const decisions = await keepAll();
    const review = (list: typeof decisions) => corin(api.accessReviews.reviewAccess, { account, body: { decisions: list } });
    expect(await review(decisions.slice(1))).toMatchObject({ status: 400, errors: [{ message: expect.stringContaining('missing') }] });
    expect((await review([...decisions, decisions[0]!])).status).toBe(400);
    expect(await review(decisions.map((each, i) => (i === 0 ? { ...each, decision: 'remove' as const } : each)))).toMatchObject({
      status: 400,
      errors: [{ message: expect.stringContaining('Enter a reason') }],
    });
    const stale = decisions.map((each, i) => (i === decisions.length - 1 ? { ...each, version: each.version + 1 } : each));
    stale[0] = { ...stale[0]!, decision: 'remove', reason: 'Left in spring' };
    expect((await review(stale)).status).toBe(412);
    expect((await others()).length).toBe(decisions.length);
    expect((await (await portal.as('tess'))(api.accessReviews.reviewAccess, { account, body: { decisions } })).status).toBe(403);
  });

  test('a review keeps, narrows and removes immediately, names its decisions and reasons, and is due again in a year', async () => {
    const tess = await named('Tess Lindqvist');
    const bill = await named('Bill Okonkwo');
    const decisions = (await keepAll()).map(each =>
      each.contactId === tess.contactId
        ? { ...each, decision: 'narrow' as const, permissions: ['roas-update' as const], reason: '=Routing is with others' }
        : each.contactId === bill.contactId
          ? { ...each, decision: 'remove' as const, reason: 'Left in spring' }
          : each,
    );
    const { data } = await corin(api.accessReviews.reviewAccess, { account, body: { decisions } });
    expect(data).toMatchObject({
      waiting: [],
      review: { due: false, last: { reviewedBy: 'Corin Achterberg', kept: 1, narrowed: 1, removed: 1 } },
    });
    expect((await named('Tess Lindqvist')).permissions).not.toContain('roas-update');
    expect(await named('Bill Okonkwo')).toBeUndefined();
    const file = await portal.request(`/api/${account}/access-reviews-export`, {
      headers: { authorization: `Bearer ${await portal.tokenOf('corin')}` },
    });
    expect(await file.text()).toContain("Tess Lindqvist,tess@example-au.example,narrow,roas-update,'=Routing is with others");
    const before = (await portal.mailsTo('corin@example-au.example')).length;
    await portal.db.change(line, change => change.updateTable('account').set({ createdAt: '2020-01-01T00:00:00Z' }).execute());
    await runContactDeadlines(portal.db, new Date());
    expect((await portal.mailsTo('corin@example-au.example')).slice(before).map(({ subject }) => subject)).not.toContain(
      'Access review of EXAMPLE-AU',
    );
    await portal.db.change(line, change => change.updateTable('accessReview').set({ reviewedAt: '2021-01-01T00:00:00Z' }).execute());
    await runContactDeadlines(portal.db, new Date());
    await runContactDeadlines(portal.db, new Date());
    const asked = (await portal.mailsTo('corin@example-au.example')).slice(before).map(({ subject }) => subject);
    expect(asked.filter(subject => subject === 'Access review of EXAMPLE-AU')).toHaveLength(1);
    expect((await corin(api.accessReviews.getAccessReview, { account })).data).toMatchObject({ due: true });
  });

  test('a contact who leaves hands over what only they hold, and is removed in the same change', async () => {
    const tess = await named('Tess Lindqvist');
    const tilda = await named('Tilda Marchetti');
    await corin(api.contacts.updateContact, {
      account,
      contactId: tess.contactId,
      body: { version: tess.version, maintainers: ['MAINT-EXAMPLE-AU'] },
    });
    const { version } = await named('Tess Lindqvist');
    const holdings = (await corin(api.accessReviews.getHoldings, { account, contactId: tess.contactId })).data!;
    expect(holdings).toMatchObject({ maintainers: ['MAINT-EXAMPLE-AU'], registryDecides: false, onlyHere: [] });
    const hand = (to: { contactId: string; version: number } | null, maintainers: string[], at = version) =>
      corin(api.accessReviews.handOver, {
        account,
        contactId: tess.contactId,
        body: { version: at, to, permissions: [], maintainers, reason: 'Leaves us' },
      });
    expect((await hand(null, ['MAINT-EXAMPLE-AU'])).status).toBe(400);
    expect((await hand({ contactId: tilda.contactId, version: tilda.version }, ['MAINT-OTHER'])).status).toBe(400);
    expect((await hand({ contactId: tilda.contactId, version: tilda.version + 7 }, ['MAINT-EXAMPLE-AU'])).status).toBe(412);
    const answers = await Promise.all([1, 2].map(() => hand({ contactId: tilda.contactId, version: tilda.version }, ['MAINT-EXAMPLE-AU'])));
    expect(statusesOf(answers)).toEqual([200, 404]);
    expect(await named('Tess Lindqvist')).toBeUndefined();
    expect((await named('Tilda Marchetti')).maintainers).toEqual(['MAINT-EXAMPLE-AU']);
    const { contactId, version: own } = await named('Corin Achterberg');
    expect(
      await corin(api.accessReviews.handOver, { account, contactId, body: { version: own, to: null, permissions: [], maintainers: [] } }),
    ).toMatchObject({
      status: 403,
      errors: [{ code: 'OWN_PERMISSIONS' }],
    });
  });

  test('the changes since the last visit include others’ and not one’s own', async () => {
    // Moves every session of Corin but this one into the past.
    await portal.db.change(line, change =>
      change
        .updateTable('session')
        .set({ startedAt: '2020-01-01T00:00:00Z', until: '2020-01-02T00:00:00Z' })
        .where('sid', 'is not', null)
        .execute(),
    );
    const since = (await corin(api.home.getHome, { account })).data!.recent!;
    expect(since.since).toBe('2020-01-01T00:00:00.000Z');
    expect(since.byContacts).toBeGreaterThan(0);
    expect(since.byTheRegistry).toBeGreaterThan(0);
    expect(since.lines.filter(({ isNew }) => isNew).map(({ by }) => by)).not.toContain('Corin Achterberg');
    expect((await (await portal.as('tilda'))(api.home.getHome, { account })).data!.recent).toBeNull();
  });

  test('e-mails of a topic go to a confirmed address of the person’s choice; mandatory ones go to both', async () => {
    const set = (topic: 'contacts.access' | 'contacts.reminders', email: string | null) =>
      corin(api.notificationAddresses.setNotificationAddress, { body: { topic, email } });
    await set('contacts.access', 'noc@example-au.example');
    const preferences = async () => (await corin(api.notificationPreferences.getNotificationPreferences, {})).data!;
    expect((await preferences()).topics.find(({ topic }) => topic === 'contacts.access')).toMatchObject({
      address: null,
      addressAsked: 'noc@example-au.example',
    });
    const url = new URL(/https?:\S+\?token=\S+/.exec((await portal.mailsTo('noc@example-au.example'))[0]!.body)![0]);
    expect(await (await portal.request(url.pathname + url.search)).text()).toContain('Get these e-mails here?');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await portal.request(url.pathname, { method: 'POST', headers, body: url.search.slice(1) })).status).toBe(200);
    const tilda = await named('Tilda Marchetti');
    await corin(api.contacts.updateContact, { account, contactId: tilda.contactId, body: { version: tilda.version, position: 'Both' } });
    for (const address of ['noc@example-au.example', 'corin@example-au.example'])
      expect((await portal.mailsTo(address)).at(-1)!.subject).toContain('Details of Tilda Marchetti');
    await set('contacts.access', null);
    expect((await preferences()).topics.find(({ topic }) => topic === 'contacts.access')).toMatchObject({
      address: null,
      addressAsked: null,
    });
  });
});
