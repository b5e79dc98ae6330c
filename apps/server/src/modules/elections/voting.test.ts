import { api } from '@portal/contract/api';
import { DAY_MS, daysAfter } from '@portal/contract/days';
import type { ElectionValues } from '@portal/contract/elections/elections';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { billingPortal, today } from '../../../test/billing-portal.ts';
import { exampleElection, inDays } from '../../../test/example-election.ts';
import { kindsForRules, testPortal, type TestPortal } from '../../../test/portal.ts';
import { seconded } from '../../../test/scrutineer.ts';
import { addElection, publishElection } from './elections.ts';

/** Returns the instant so many days from now: far from the ends of every window in the test. */
const url = 'https://vote.registry.example/now';
const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };

/** An open election of members, for seats or resolutions, and one of members and attendees. */
const values = (given: Partial<ElectionValues>): ElectionValues =>
  exampleElection({
    resultsUrl: 'https://www.registry.example/results',
    windows: [{ kind: 'member-vote', opensAt: inDays(-3), closesAt: inDays(4), url }],
    ...given,
  });
const openNow = [
  values({}),
  values({ kind: 'resolution', title: 'By-laws now', seats: null, maxSelections: null }),
  values({
    kind: 'nro-nc',
    title: 'Number Council now',
    conference: 'CONF-63',
    registrationCutOff: inDays(1),
    windows: [
      { kind: 'member-vote', opensAt: inDays(-3), closesAt: inDays(4), url },
      { kind: 'attendee-vote', opensAt: inDays(-1), closesAt: inDays(4), url: `${url}/attendees` },
    ],
  }),
];

describe.each(kindsForRules)('voting on %s', kind => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await testPortal(kind);
    await portal.db.change(line, async change => {
      for (const each of openNow) {
        const { electionId, version } = await addElection({ change, body: each });
        await publishElection({ change, params: { electionId }, body: { version }, publishedAt: new Date(Date.now() - 5 * DAY_MS) });
      }
    });
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  const memberVoting = async (name: string, account: string, options?: { mfa?: boolean }) =>
    (await (await portal.as(name, options))(api.voting.getMemberVoting, { account })).data!;
  const attendeeVoting = async (name: string, options?: { mfa?: boolean }) =>
    (await (await portal.as(name, options))(api.voting.getAttendeeVoting, {})).data!;
  /** Returns a contact's eligibility for the members' vote, election by election. */
  const memberReasons = ({ elections }: Awaited<ReturnType<typeof memberVoting>>) =>
    Object.fromEntries(
      elections
        .filter(({ title }) => title.endsWith('now'))
        .map(({ title, windows }) => [title, windows.find(window => window.kind === 'member-vote')!.eligibility!.reason]),
    );
  const attendeeWindow = ({ elections }: Awaited<ReturnType<typeof attendeeVoting>>, title: string) =>
    elections.find(election => election.title === title)!.windows.find(window => window.kind === 'attendee-vote')!;

  test('a corporate contact votes for the account with the votes of its holdings, and gets the link', async () => {
    const answer = await memberVoting('corin', 'EXAMPLE-AU');
    expect(answer.weight).toEqual({
      votes: 8,
      tier: 'Medium',
      nir: false,
      holdings: { ipv4Addresses: String(8192 + 768 + 256), ipv6Blocks: String(2 ** 24) },
    });
    const council = answer.elections.find(({ title }) => title === 'Council now')!;
    expect(council).toMatchObject({ votes: 8, seats: 3, state: 'published', timeZone: 'Asia/Manila', resultsUrl: null });
    expect(council.windows).toMatchObject([
      { kind: 'member-vote', state: 'open', words: 'Closes in 3 days', host: 'vote.registry.example', eligibility: { reason: null, url } },
    ]);
  });

  test('open elections come first, then future ones, then past ones', async () => {
    const { elections } = await memberVoting('corin', 'EXAMPLE-AU');
    expect(elections.map(({ title, state }) => [title.replace(/\d{4}$/, 'YEAR'), state])).toEqual([
      ['Council now', 'published'],
      ['By-laws now', 'published'],
      ['Number Council now', 'published'],
      ['Executive Council election YEAR', 'published'],
      ['NRO Number Council election YEAR', 'closed'],
    ]);
    // Over: results instead of votes.
    expect(elections[4]).toMatchObject({ votes: null, resultsUrl: expect.stringContaining('results') });
  });

  test.each([
    ['corin', 'SOUTHSITE-NZ', 2],
    ['corin', 'LABNET-AU', 1],
    ['olive', 'OTHER-SG', 4],
    ['nils', 'NATREG-XX', 64],
  ])('%s has for %s %d votes by holdings, and one for the Number Council', async (name, account, votes) => {
    const { elections, weight } = await memberVoting(name, account);
    expect(weight.votes).toBe(votes);
    expect(elections.find(({ title }) => title === 'By-laws now')!.votes).toBe(votes);
    // Acceptance scenario 19: one vote there, irrespective of the tier.
    expect(elections.find(({ title }) => title === 'Number Council now')!.votes).toBe(1);
  });

  test('acceptance scenario 18: the account of a non-member is not eligible, whatever permissions its contact has', async () => {
    for (const account of ['CAMPUS-JP', 'OLDNET-JP']) {
      const answer = await memberVoting('hana', account);
      expect(answer.weight).toEqual({ votes: null, tier: null, nir: false, holdings: null });
      expect(memberReasons(answer)).toEqual({
        'Council now': 'NOT_ELIGIBLE_TYPE',
        'By-laws now': 'NOT_ELIGIBLE_TYPE',
        'Number Council now': 'NOT_ELIGIBLE_TYPE',
      });
      for (const { kind: electionKind, votes, windows } of answer.elections) {
        expect(votes).toBe(null);
        for (const { kind: of, eligibility } of windows)
          if (of !== 'proxy-vote' && !(of === 'nomination' && electionKind === 'nro-nc'))
            expect(eligibility).toMatchObject({ message: 'You are not eligible to vote in this election.', url: null });
      }
    }
  });

  test('a suspended account is not in good standing', async () => {
    const answer = await memberVoting('max', 'LATE-FJ');
    expect(new Set(Object.values(memberReasons(answer)))).toEqual(new Set(['NOT_IN_GOOD_STANDING']));
    expect(answer.elections.every(({ votes }) => votes === null)).toBe(true);
  });

  test('a contact without the permission can’t vote, and sees no holdings without that permission', async () => {
    const answer = await memberVoting('bill', 'EXAMPLE-AU');
    expect(new Set(Object.values(memberReasons(answer)))).toEqual(new Set(['NO_VOTE_PERMISSION']));
    expect(answer.weight).toMatchObject({ votes: 8, holdings: null });
  });

  test('a session without a second factor cannot vote, and gets no link', async () => {
    const answer = await memberVoting('corin', 'EXAMPLE-AU', { mfa: false });
    expect(new Set(Object.values(memberReasons(answer)))).toEqual(new Set(['MFA_NOT_ENABLED']));
    expect(JSON.stringify(answer)).not.toContain(url);
    expect(attendeeWindow(await attendeeVoting('corin', { mfa: false }), 'Number Council now').eligibility).toMatchObject({
      reason: 'MFA_NOT_ENABLED',
      url: null,
    });
  });

  test('an attendee can also vote personally: registered for this conference and present at an earlier one', async () => {
    expect(attendeeWindow(await attendeeVoting('corin'), 'Number Council now').eligibility).toMatchObject({
      reason: null,
      url: `${url}/attendees`,
    });
    // Nadia has no account at all.
    expect(attendeeWindow(await attendeeVoting('nadia'), 'Number Council now').eligibility).toMatchObject({ reason: null });
  });

  test('acceptance scenario 20: Tess, who is registered but attended no earlier conference, gets this reason', async () => {
    const { eligibility } = attendeeWindow(await attendeeVoting('tess'), 'Number Council now');
    expect(eligibility).toEqual({
      reason: 'NOT_ATTENDED',
      message: 'You are not eligible to vote in this election.',
      detail: 'You’re registered for Example Conference 63, but didn’t attend any of the 8 previous conferences',
      url: null,
    });
    // Registering for an earlier one without coming doesn't count.
    expect(attendeeWindow(await attendeeVoting('olive'), 'Number Council now').eligibility).toMatchObject({ reason: 'NOT_ATTENDED' });
    expect(attendeeWindow(await attendeeVoting('bill'), 'Number Council now').eligibility).toMatchObject({ reason: 'NOT_REGISTERED' });
  });

  test('an attendee sees elections of attendees and their windows only', async () => {
    const { elections, last } = await attendeeVoting('nadia');
    expect(elections.map(({ kind: of, state }) => [of, state])).toEqual([
      ['nro-nc', 'published'],
      ['sig', 'published'],
      ['nro-nc', 'closed'],
    ]);
    expect(elections.flatMap(({ windows }) => windows.map(window => window.kind))).not.toContain('member-vote');
    expect(last).toMatchObject({ title: expect.stringMatching(/^NRO Number Council election/) });
  });

  test('drafts are hidden, and a cancelled election shows only its reason', async () => {
    const { draft, gone } = await portal.db.change(line, async change => {
      const made = await addElection({ change, body: values({ title: 'A draft' }) });
      const shown = await addElection({ change, body: values({ title: 'Called off' }) });
      await publishElection({
        change,
        params: { electionId: shown.electionId },
        body: { version: shown.version },
        publishedAt: new Date(Date.now() - 5 * DAY_MS),
      });
      return { draft: made, gone: shown };
    });
    const stella = await portal.as('stella');
    const reason = 'The ballot allowed four selections for three seats';
    const body = { version: gone.version + 1, reason };
    const cancelling = await stella(api.elections.cancelElection, { electionId: gone.electionId, body });
    expect((await seconded(portal, cancelling)).status).toBe(200);
    const { elections } = await memberVoting('corin', 'EXAMPLE-AU');
    expect(elections.map(({ title }) => title)).not.toContain(draft.title);
    const shown = elections.at(-1)!;
    expect(shown).toMatchObject({ title: 'Called off', state: 'cancelled', cancelReason: reason, votes: null });
    expect(shown.windows.map(({ eligibility }) => eligibility)).toEqual([null]);
  });
});

describe.each(kindsForRules)('acceptance scenario 22: an invoice that is overdue, on %s', kind => {
  test('prevents Olive from voting although her account has an extension; once it is paid she can', async () => {
    const accountName = 'OTHER-SG';
    const end = daysAfter(today, -32);
    await using portal = await billingPortal(kind, { [accountName]: end });
    await portal.on(daysAfter(end, 1));
    const { number, total } = (await portal.billingOf(accountName)).invoices[0]!;
    const stella = await portal.as('stella');
    await stella(api.billing.extendInvoice, {
      invoiceNumber: number,
      body: { until: daysAfter(today, 10), reason: 'The bank is slow' },
    });
    await portal.on(today);
    const olive = await portal.as('olive');
    const nomination = async () => {
      const { elections } = (await olive(api.voting.getMemberVoting, { account: accountName })).data!;
      return elections.find(({ kind: of }) => of === 'ec')!.windows.find(window => window.kind === 'nomination')!.eligibility;
    };
    expect(await portal.accountStateOf(accountName)).toMatchObject({ accountStatus: 'open' });
    expect(await nomination()).toMatchObject({
      reason: 'NOT_IN_GOOD_STANDING',
      message: 'You are not eligible to vote in this election.',
      detail: 'An invoice of OTHER-SG is overdue. Pay it to vote',
      url: null,
    });
    await stella(api.billing.recordPayment, {
      invoiceNumber: number,
      body: { amount: total, receivedOn: today, reference: 'BANK-22' },
    });
    expect((await nomination())?.reason).not.toBe('NOT_IN_GOOD_STANDING');
  });
});

describe.each(kindsForRules)('thirty elections that are over, on %s', kind => {
  test('take as many statements as two', async () => {
    await using portal = await testPortal(kind);
    const over = (title: string, given: Partial<ElectionValues> = {}): ElectionValues =>
      values({ title, windows: [{ kind: 'member-vote', opensAt: inDays(-20), closesAt: inDays(-10), url }], ...given });
    const ofAttendees = (title: string): ElectionValues =>
      over(title, {
        kind: 'sig',
        conference: 'CONF-63',
        registrationCutOff: inDays(-20),
        windows: [{ kind: 'attendee-vote', opensAt: inDays(-20), closesAt: inDays(-10), url }],
      });
    const add = (from: number, to: number) =>
      portal.db.change(line, async change => {
        for (let number = from; number < to; number++)
          for (const each of [over(`Over ${number}`), ofAttendees(`Group over ${number}`)]) {
            const { electionId, version } = await addElection({ change, body: each });
            await publishElection({ change, params: { electionId }, body: { version }, publishedAt: new Date(Date.now() - 25 * DAY_MS) });
          }
      });
    const corin = await portal.as('corin');
    const ask = async () => {
      const rows = vi.spyOn(portal.db.read, 'rows');
      const members = (await corin(api.voting.getMemberVoting, { account: 'EXAMPLE-AU' })).data!.elections;
      const attendees = (await corin(api.voting.getAttendeeVoting, {})).data!.elections;
      const statements = rows.mock.calls.length;
      rows.mockRestore();
      return { statements, over: [...members, ...attendees].filter(({ title }) => /over \d/i.test(title)).length };
    };
    await add(0, 1);
    // Warms caches.
    await ask();
    const few = await ask();
    await add(1, 15);
    const many = await ask();
    expect([few.over, many.over]).toEqual([2, 30]);
    expect(few.statements).toBeGreaterThan(2);
    expect(many.statements).toBe(few.statements);
  });
});
