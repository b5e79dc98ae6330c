import { type BodyInputOf, errorInWords } from '@portal/contract';
import { api } from '@portal/contract/api';
import { DAY_MS, utcDay } from '@portal/contract/days';
import type { StaffElection } from '@portal/contract/elections/elections';
import type { Proposal } from '@portal/contract/proposals/proposals';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exampleElection, inDays } from '../../../test/example-election.ts';
import { type TestPortal, testPortal } from '../../../test/portal.ts';
import { seconded } from '../../../test/scrutineer.ts';
import { addElection, publishElection } from './elections.ts';

const url = 'https://vote.registry.example/ec';
const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };

type Given = BodyInputOf<typeof api.elections.addElection>;
/** An election that can be published as it is. */
const council = (given: Partial<Given> = {}): Given => ({
  ...exampleElection({ title: 'Council election', description: 'Three of seven seats' }),
  windows: [
    { kind: 'nomination', opensAt: inDays(-1), closesAt: inDays(10), url: 'https://www.registry.example/nominate' },
    { kind: 'proxy-appoint', opensAt: inDays(11), closesAt: inDays(20), url: 'https://www.registry.example/proxy' },
    { kind: 'member-vote', opensAt: inDays(11), closesAt: inDays(23), url },
    { kind: 'proxy-vote', opensAt: inDays(22), closesAt: inDays(23), url },
  ],
  ...given,
});
const window = (kind: StaffElection['windows'][number]['kind'], from: number, to: number) => ({
  kind,
  opensAt: inDays(from),
  closesAt: inDays(to),
  url,
});
/** The latest log line of an action. */
const lastOf = (portal: TestPortal, action: string) =>
  portal.db.read.selectFrom('activity').selectAll().where('action', '=', action).orderBy('activityId', 'desc').limit(1).executeTakeFirst();
/** Returns the values of an election for sending them again as staff. */
const again = (election: StaffElection) => ({
  version: election.version,
  kind: election.kind,
  title: election.title,
  description: election.description,
  seats: election.seats,
  maxSelections: election.maxSelections,
  timeZone: election.timeZone,
  conference: election.conference,
  registrationCutOff: election.registrationCutOff,
  candidatesUrl: election.candidatesUrl,
  resultsUrl: election.resultsUrl,
  windows: election.windows.map(({ kind, opensAt, closesAt, url: address }) => ({ kind, opensAt, closesAt, url: address })),
});

describe('elections managed by registry staff', () => {
  let portal: TestPortal;
  let stella: Awaited<ReturnType<TestPortal['as']>>;
  beforeAll(async () => {
    portal = await testPortal();
    stella = await portal.as('stella');
  });
  afterAll(() => portal[Symbol.asyncDispose]());
  const add = async (given: Partial<Given> = {}) => (await stella(api.elections.addElection, { body: council(given) })).data!;
  const shownTo = async (name: string, account: string) =>
    (await (await portal.as(name))(api.voting.getMemberVoting, { account })).data!.elections.map(({ title }) => title);
  const messageOf = async (given: Partial<Given>) => {
    const { status, errors } = await stella(api.elections.addElection, { body: council(given) });
    return { status, message: errors?.map(errorInWords).join('; ') ?? '' };
  };

  test('a draft is visible to the registry only, a published election to members; each step is logged', async () => {
    const draft = await add({ title: 'Council of the test' });
    expect(draft).toMatchObject({ state: 'draft', version: 1, generation: 1, publishedAt: null });
    expect(draft.windows.map(({ kind, state }) => [kind, state])).toEqual([
      ['nomination', 'open'],
      ['proxy-appoint', 'not-yet-open'],
      ['member-vote', 'not-yet-open'],
      ['proxy-vote', 'not-yet-open'],
    ]);
    expect(await shownTo('corin', 'EXAMPLE-AU')).not.toContain('Council of the test');
    const { electionId } = draft;
    const publishing = await stella(api.elections.publishElection, { electionId, body: { version: 1 } });
    expect((await stella(api.elections.getElection, { electionId })).data).toMatchObject({ state: 'draft', version: 1 });
    expect((await seconded(portal, publishing)).errors).toBe(undefined);
    expect((await stella(api.elections.getElection, { electionId })).data).toMatchObject({ state: 'published', version: 2 });
    expect(await shownTo('corin', 'EXAMPLE-AU')).toContain('Council of the test');
    expect(await lastOf(portal, 'proposals.approveStaffProposal')).toMatchObject({
      details: {
        election: 'Council of the test',
        proposed: 'Publish the election “Council of the test”',
        proposedBy: 'Stella Kowalski',
      },
      refusal: null,
    });
    await seconded(portal, await stella(api.elections.cancelElection, { electionId, body: { version: 2, reason: 'No candidates' } }));
    const { data: cancelled } = await stella(api.elections.getElection, { electionId });
    expect(cancelled).toMatchObject({ state: 'cancelled', cancelReason: 'No candidates' });
    expect(await lastOf(portal, 'proposals.approveStaffProposal')).toMatchObject({ details: { reason: 'No candidates' } });
    // Cancelled is the end.
    for (const refused of [
      await stella(api.elections.publishElection, { electionId, body: { version: 3 } }),
      await stella(api.elections.changeElection, { electionId, body: again(cancelled!) }),
      await stella(api.elections.cancelElection, { electionId, body: { version: 3, reason: 'Again' } }),
      // For an older version too: being over is more informative than being changed.
      await stella(api.elections.cancelElection, { electionId, body: { version: 2, reason: 'Again' } }),
    ])
      expect(refused).toMatchObject({ status: 409, errors: [{ code: 'ELECTION_OVER' }] });
  });

  test('it takes a fresh second factor, and doesn’t exist for members', async () => {
    const answer = await (await portal.as('stella', { mfa: false }))(api.elections.addElection, { body: council() });
    expect(answer).toMatchObject({ status: 401, errors: [{ code: 'MFA_REQUIRED' }] });
    expect((await (await portal.as('corin'))(api.elections.listElections, {})).status).toBe(404);
  });

  test('of two who edit one election the second sees the first one’s version', async () => {
    const draft = await add();
    const { electionId } = draft;
    const body = again(draft);
    const first = await stella(api.elections.changeElection, { electionId, body: { ...body, title: 'By Stella' } });
    expect(first.data).toMatchObject({ title: 'By Stella', version: 2 });
    const stan = await portal.as('stan');
    const second = await stan(api.elections.changeElection, { electionId, body: { ...body, title: 'By Stan' } });
    expect(second).toMatchObject({ status: 412, errors: [{ code: 'STALE' }], current: { title: 'By Stella', version: 2 } });
    for (const late of [
      await stan(api.elections.publishElection, { electionId, body: { version: 1 } }),
      await stan(api.elections.cancelElection, { electionId, body: { version: 1, reason: 'Stale' } }),
    ])
      expect(late).toMatchObject({ status: 412, current: { title: 'By Stella' } });
  });

  test('of two concurrent changes one wins, whatever they are', async () => {
    const { electionId, ...draft } = await add();
    const [stan, dora, vera] = await Promise.all([portal.as('stan'), portal.as('dora'), portal.as('vera')]);
    await stella(api.elections.publishElection, { electionId, body: { version: 1 } });
    await stan(api.elections.cancelElection, { electionId, body: { version: 1, reason: 'In the same moment' } });
    const [publishing, cancelling] = (await vera(api.proposals.listStaffProposals, {})).data!.waiting.slice(-2);
    const approve = (as: typeof dora, { proposalId, fingerprint }: Proposal) =>
      as(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } });
    const answers = await Promise.all([
      approve(dora, publishing!),
      approve(vera, cancelling!),
      stan(api.elections.changeElection, { electionId, body: again({ electionId, ...draft }) }),
    ]);
    // The others read what became of it: another version, or an election that is over.
    const [refused] = answers.map(({ status }) => status).filter(status => status !== 200);
    expect([409, 412]).toContain(refused);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await stella(api.elections.getElection, { electionId })).data).toMatchObject({ version: 2 });
  });

  test('the conference whose attendees vote is fixed once they vote', async () => {
    const url2 = 'https://vote.registry.example/sig';
    const begun = await portal.db.change(line, async change => {
      const values = council({
        kind: 'sig',
        seats: 1,
        maxSelections: 1,
        conference: 'CONF-63',
        registrationCutOff: inDays(1),
        windows: [{ ...window('attendee-vote', -3, 4), url: url2 }],
      });
      const { electionId, version } = await addElection({ change, body: values as Parameters<typeof addElection>[0]['body'] });
      return publishElection({ change, params: { electionId }, body: { version }, publishedAt: new Date(Date.now() - 5 * DAY_MS) });
    });
    const { electionId } = begun;
    const body = again((await stella(api.elections.getElection, { electionId })).data!);
    for (const given of [{ conference: 'CONF-62' }, { registrationCutOff: inDays(2) }])
      expect(await stella(api.elections.changeElection, { electionId, body: { ...body, ...given } })).toMatchObject({
        status: 409,
        errors: [{ code: 'ELECTION_BEGUN' }],
      });
    // The same instant with another offset isn't a change, and results may be linked.
    const registrationCutOff = body.registrationCutOff!.replace('Z', '+00:00');
    const resultsUrl = 'https://www.registry.example/results';
    const change = await stella(api.elections.changeElection, { electionId, body: { ...body, registrationCutOff, resultsUrl } });
    expect((await seconded(portal, change)).errors).toBe(undefined);
    expect((await stella(api.elections.getElection, { electionId })).data).toMatchObject({ resultsUrl, version: body.version + 1 });
  });

  test.each([
    [
      'a window that closes when it opens',
      { windows: [window('member-vote', 5, 5)].map(each => ({ ...each, closesAt: each.opensAt })) },
      'Voting of members must close after it opens',
    ],
    [
      'a window that closes before it opens',
      { windows: [window('member-vote', 5, 4)] },
      'windows.member-vote.closesAt: Voting of members must close after it opens',
    ],
    [
      'nominations while votes are cast',
      { windows: [window('nomination', 1, 6), window('member-vote', 5, 9)] },
      'Nominations must close before voting opens',
    ],
    [
      'attendees of a members’ election',
      { windows: [window('attendee-vote', 5, 6)] },
      'Voting of attendees isn’t part of: Executive Council election',
    ],
    ['one window twice', { windows: [window('member-vote', 5, 6), window('member-vote', 7, 8)] }, 'Voting of members is there twice'],
    ['seats of resolutions', { kind: 'resolution' as const, windows: [] }, 'seats: There are no seats in: Resolutions'],
    ['a zone nobody knows', { timeZone: 'Mars/Olympus' }, 'timeZone: Enter an IANA time zone'],
    [
      'an address that runs a script',
      { candidatesUrl: 'javascript:alert(1)' },
      'candidatesUrl: Enter an address that starts with https:// or http://',
    ],
    ['an address with a name and password', { candidatesUrl: 'https://you:secret@vote.example/' }, 'candidatesUrl: Enter an address'],
    [
      'a time without an offset',
      { windows: [{ ...window('member-vote', 5, 6), opensAt: '2027-02-16T14:00:00' }] },
      'Enter a date and time with offset',
    ],
  ])('refuses %s', async (_what, given, words) => {
    const { status, message } = await messageOf(given);
    expect(status).toBe(400);
    expect(message).toContain(words);
  });

  test('proxy appointment closes 48 hours before proxies vote, not a millisecond later', async () => {
    const proxiesVote = Date.now() + 20 * DAY_MS;
    const windows = (closesAt: number) => [
      { ...window('proxy-appoint', 5, 6), closesAt: new Date(closesAt).toISOString() },
      { ...window('proxy-vote', 20, 21), opensAt: new Date(proxiesVote).toISOString() },
      window('member-vote', 5, 21),
    ];
    expect(await messageOf({ windows: windows(proxiesVote - 2 * DAY_MS + 1) })).toMatchObject({
      status: 400,
      message: expect.stringContaining('Proxy appointment must close at least 48 hours before proxies vote') as string,
    });
    expect((await messageOf({ windows: windows(proxiesVote - 2 * DAY_MS) })).status).toBe(200);
  });

  test('everything missing is reported together when it is published', async () => {
    const { electionId } = await add({
      kind: 'nro-nc',
      seats: 1,
      maxSelections: 4,
      windows: [{ ...window('attendee-vote', 5, 6), url: '' }],
    });
    const answer = await stella(api.elections.publishElection, { electionId, body: { version: 1 } });
    expect(answer).toMatchObject({ status: 409, errors: [{ code: 'ELECTION_NOT_READY' }] });
    const { message } = answer.errors![0]!;
    for (const words of ['as many selections as seats (1)', 'Choose the conference', 'Enter the registration deadline'])
      expect(message).toContain(words);
  });

  test('an election whose voting has begun, or without a vote, cannot be published', async () => {
    for (const [given, words] of [
      [{ windows: [window('member-vote', -1, 5)] }, 'Voting of members would start before it’s announced'],
      [{ windows: [window('nomination', 1, 5)] }, 'Enter when members or attendees vote'],
      [
        { windows: [window('member-vote', 1, 5), window('proxy-appoint', 1, 2)] },
        'Enter both when proxies are appointed and when they vote',
      ],
    ] as const) {
      const { electionId } = await add({ windows: [...given.windows] });
      const answer = await stella(api.elections.publishElection, { electionId, body: { version: 1 } });
      expect(answer).toMatchObject({
        status: 409,
        errors: [{ code: 'ELECTION_NOT_READY', message: expect.stringContaining(words) as string }],
      });
    }
  });

  test('in a published election windows that have begun are fixed, and later ones may move', async () => {
    const begun = await portal.db.change(line, async change => {
      const values = council({ windows: [window('nomination', -30, -12), window('member-vote', -3, 4)] });
      const { electionId, version } = await addElection({ change, body: values as Parameters<typeof addElection>[0]['body'] });
      return publishElection({ change, params: { electionId }, body: { version }, publishedAt: new Date(Date.now() - 31 * DAY_MS) });
    });
    const { electionId } = begun;
    const { data: now } = await stella(api.elections.getElection, { electionId });
    const body = again(now!);
    const [nomination, vote] = body.windows as [(typeof body.windows)[number], (typeof body.windows)[number]];
    for (const [given, words] of [
      [{ kind: 'other' as const }, 'The kind of election can’t be changed'],
      [{ windows: [nomination] }, 'Voting of members has started and can’t be changed'],
      [{ windows: [nomination, { ...vote, opensAt: inDays(1) }] }, 'Voting of members has started, so its opening time can’t be changed'],
      [{ windows: [{ ...nomination, closesAt: inDays(-4) }, vote] }, 'Nominations is over, so its closing time can’t be changed'],
      [{ windows: [nomination, { ...vote, closesAt: inDays(-1) }] }, 'Voting of members is open and can’t close in the past'],
      [{ seats: 2, maxSelections: 2 }, 'Seats and selections can’t be changed once voting starts'],
    ] as const) {
      const answer = await stella(api.elections.changeElection, { electionId, body: { ...body, ...given } as typeof body });
      expect(answer).toMatchObject({
        status: 409,
        errors: [{ code: 'ELECTION_BEGUN', message: expect.stringContaining(words) as string }],
      });
    }
    const later = { ...vote, closesAt: inDays(6) };
    const longer = await stella(api.elections.changeElection, { electionId, body: { ...body, windows: [nomination, later] } });
    expect((await stella(api.elections.getElection, { electionId })).data!.windows[1]!.closesAt).toBe(vote.closesAt);
    expect((await seconded(portal, longer)).errors).toBe(undefined);
    expect((await stella(api.elections.getElection, { electionId })).data!.windows[1]).toMatchObject({
      closesAt: later.closesAt,
      state: 'open',
    });
    const { details } = (await lastOf(portal, 'proposals.approveStaffProposal'))!;
    expect(Object.keys((details as { after: object }).after)).toEqual(['windows']);
  });

  test('an unknown election, and one with an unknown conference, are refused', async () => {
    for (const electionId of ['999999', 'x', '1e3']) expect((await stella(api.elections.getElection, { electionId })).status).toBe(404);
    const answer = await stella(api.elections.addElection, {
      body: council({ kind: 'sig', seats: 1, maxSelections: 1, conference: 'CONF-1', windows: [window('attendee-vote', 5, 6)] }),
    });
    expect(answer).toMatchObject({ status: 404, errors: [{ message: 'The conference CONF-1 wasn’t found' }] });
  });

  test('lists the newest first, a page at a time', async () => {
    const { data } = await stella(api.elections.listElections, { query: { limit: 2 } });
    expect(data!.rows).toHaveLength(2);
    expect(Number(data!.rows[0]!.electionId)).toBeGreaterThan(Number(data!.rows[1]!.electionId));
    const { data: all } = await stella(api.elections.listElections, { query: { limit: 100 } });
    expect(all!.rows).toHaveLength(data!.total);
  });
});

describe('attendance of a conference', () => {
  let portal: TestPortal;
  let stella: Awaited<ReturnType<TestPortal['as']>>;
  beforeAll(async () => {
    portal = await testPortal();
    stella = await portal.as('stella');
  });
  afterAll(() => portal[Symbol.asyncDispose]());
  const head = 'email,registered_at,attended';
  const bring = (csv: string, mayRemove = false, conference = 'CONF-63') =>
    stella(api.conferences.importAttendance, { conference, body: { csv, mayRemove } });
  const reasonOf = async (name: string) =>
    (await (await portal.as(name))(api.voting.getAttendeeVoting, {}))
      .data!.elections.find(({ kind }) => kind === 'sig')!
      .windows.find(({ kind }) => kind === 'attendee-vote')!.eligibility!.reason;

  test('a conference can be created only once', async () => {
    const body = { conference: 'conf-64', title: 'Example Conference 64', startsOn: '2027-09-06' };
    expect((await stella(api.conferences.addConference, { body })).data).toEqual({
      ...body,
      conference: 'CONF-64',
      registered: 0,
      attended: 0,
    });
    expect(await stella(api.conferences.addConference, { body })).toMatchObject({ status: 409, errors: [{ code: 'CONFERENCE_EXISTS' }] });
    expect((await stella(api.conferences.listConferences, {})).data!.rows.map(({ conference }) => conference)).toContain('CONF-64');
  });

  test('a list with wrong lines isn’t imported, and every wrong line is reported', async () => {
    const before = (await stella(api.conferences.listConferences, {})).data;
    const answer = await bring(
      `${head}\nbill@example-au.example,2026-01-01T00:00:00Z,no\nnobody,yesterday,perhaps\nx,2026-01-01T00:00:00Z,no`,
      true,
    );
    expect(answer.status).toBe(400);
    expect(new Set(answer.errors!.map(({ code, field }) => `${code} ${field}`))).toEqual(new Set(['INVALID_REQUEST csv']));
    const message = answer.errors!.map(each => each.message).join('\n');
    for (const words of ['line 3: email "nobody" isn’t an address', 'registered_at "yesterday"', 'attended "perhaps"', 'line 4: email "x"'])
      expect(message).toContain(words);
    expect((await stella(api.conferences.listConferences, {})).data).toEqual(before);
    expect(await bring(head, true)).toMatchObject({ status: 400 });
    expect(await bring(`${head}\na@b.example,2026-01-01T00:00:00Z,no`, true, 'CONF-1')).toMatchObject({ status: 404 });
  });

  test('a new list replaces the old one, and removing people has to be confirmed', async () => {
    expect(await reasonOf('tess')).toBe('NOT_ATTENDED');
    expect(await reasonOf('bill')).toBe('NOT_REGISTERED');
    const withoutTess = `${head}\nbill@example-au.example,2026-01-01T00:00:00Z,no\ncorin@example-au.example,2026-01-01T00:00:00Z,no\nnadia@newcomer.example,2026-01-01T00:00:00Z,no`;
    expect(await bring(withoutTess)).toMatchObject({
      status: 409,
      errors: [
        {
          code: 'ATTENDANCE_SHRINKS',
          message: expect.stringContaining(
            '2 people of the list that is there are missing in this file: olive@other-sg.example, tess@example-au.example',
          ) as string,
        },
      ],
    });
    expect(await reasonOf('bill')).toBe('NOT_REGISTERED');
    expect((await bring(withoutTess, true)).data).toMatchObject({ added: 1, changed: 2, removed: 2, conference: { registered: 3 } });
    expect(await lastOf(portal, 'elections.conferences.importAttendance')).toMatchObject({
      details: { conference: 'CONF-63', added: 1, changed: 2, removed: 2 },
    });
    expect([await reasonOf('tess'), await reasonOf('bill')]).toEqual(['NOT_REGISTERED', 'NOT_ATTENDED']);
    // The same list again changes nothing.
    expect((await bring(withoutTess)).data).toMatchObject({ added: 0, changed: 0, removed: 0 });
  });

  test('attending one of the eight previous conferences counts, the ninth doesn’t', async () => {
    for (let year = 1; year <= 8; year++)
      await stella(api.conferences.addConference, {
        body: {
          conference: `FILL-${year}`,
          title: `Filler ${year}`,
          startsOn: utcDay(Date.now() - year * DAY_MS),
        },
      });
    // Corin and Nadia attended conferences that are now before these eight.
    expect([await reasonOf('corin'), await reasonOf('nadia')]).toEqual(['NOT_ATTENDED', 'NOT_ATTENDED']);
    await bring(`${head}\nNadia@Newcomer.example,2026-01-01T00:00:00Z,yes`, false, 'FILL-8');
    expect(await reasonOf('nadia')).toBe('NOT_OPEN');
  });

  test('an unverified address isn’t linked to a login', async () => {
    const csv = `${head}\nunproved@elsewhere.example,2026-01-01T00:00:00Z,yes`;
    await bring(csv, false, 'FILL-1');
    const own = async (email: string, emailVerified: boolean) =>
      portal.db.change(line, change => change.updateTable('login').set({ email, emailVerified }).where('username', '=', 'corin').execute());
    await own('unproved@elsewhere.example', false);
    expect(await reasonOf('corin')).toBe('NOT_ATTENDED');
    await own('unproved@elsewhere.example', true);
    // The entry linked to his login earlier still counts.
    expect(await reasonOf('corin')).toBe('NOT_OPEN');
  });
});
