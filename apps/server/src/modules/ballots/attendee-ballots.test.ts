import { api } from '@portal/contract/api';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { castForm, ownSlip, type Slip, slipIn } from '../../../test/plain-ballot.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { seconded } from '../../../test/scrutineer.ts';
import { statementsOf } from '../../../test/database/statements.ts';
import { addElection, announceVotes, freezeAttendees, publishElection, saveOptions } from '../elections/index.ts';
import { sortBallots } from './casting.ts';

const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };
const inDays = (days: number): string => instantAfter(Date.now(), days * DAY_MS);
const nadiaMail = 'nadia@newcomer.example';

/** Corin and Nadia attended an earlier conference and are registered for the next, Olive attended none, Nils isn’t registered. */
describe.each(kindsForRules)('ballots of attendees on %s', kind => {
  let portal: TestPortal;
  let electionId: string;
  beforeEach(async () => {
    portal = await testPortal(kind);
    electionId = await portal.db.change(line, async change => {
      const election = await addElection({
        change,
        body: {
          kind: 'nro-nc',
          title: 'Number Council now',
          description: '',
          seats: 1,
          maxSelections: 1,
          timeZone: 'Asia/Manila',
          conference: 'CONF-63',
          registrationCutOff: inDays(-2),
          candidatesUrl: '',
          resultsUrl: '',
          windows: [
            { kind: 'member-vote', opensAt: inDays(-3), closesAt: inDays(4), url: '' },
            { kind: 'attendee-vote', opensAt: inDays(-1), closesAt: inDays(4), url: '' },
          ],
        },
      });
      await saveOptions({
        change,
        params: { electionId: election.electionId },
        body: { rows: ['Ada', 'Bo'].map(name => ({ name, statement: '' })) },
      });
      await publishElection({
        change,
        params: { electionId: election.electionId },
        body: { version: election.version },
        publishedAt: new Date(Date.now() - 5 * DAY_MS),
      });
      return election.electionId;
    });
  });
  afterEach(() => portal[Symbol.asyncDispose]());

  const open = async (who: string, options?: { mfa?: boolean }) =>
    (await portal.as(who, options))(api.ballots.openAttendeeBallot, { electionId });
  const addressOf = async (who: string): Promise<string> => {
    const { pathname, search } = new URL((await open(who)).data!.url);
    return pathname + search;
  };
  const headers = { host: 'portal.test', 'content-type': 'application/x-www-form-urlencoded' };
  const slipAt = async (url: string): Promise<Slip> => slipIn((await portal.http.inject({ url, headers: { host: 'portal.test' } })).body);
  const cast = (url: string, slip: Slip, choice: number) =>
    portal.http.inject({ method: 'POST', url, headers, payload: castForm(slip, [choice]) });
  const reasonOf = async (who: string) =>
    (await (await portal.as(who))(api.voting.getAttendeeVoting, {}))
      .data!.elections.find(each => each.electionId === electionId)!
      .windows.find(window => window.kind === 'attendee-vote')!.eligibility!.reason;
  const close = () =>
    portal.db.change(line, change =>
      change.rows(sql`update election_window set opens_at = ${inDays(-9)}::timestamptz, closes_at = ${inDays(-1)}::timestamptz
        where election_id = ${Number(electionId)}`),
    );

  test('a person without an account casts one ballot with a receipt, and after the close it is counted beside those of members', async () => {
    await freezeAttendees(portal.db, new Date());
    const address = await addressOf('nadia');
    const slip = await slipAt(address);
    // Pressing twice at the same time casts one ballot.
    const answers = await Promise.all([cast(address, slip, 2), cast(address, slip, 2), cast(address, slip, 2)]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    const second = await cast(address, ownSlip(portal.config, address), 1);
    expect([second.statusCode, second.body]).toEqual([409, expect.stringContaining('You have voted as an attendee')]);
    expect(await open('nadia')).toMatchObject({ status: 409, errors: [{ code: 'ATTENDEE_VOTED' }] });
    expect(await reasonOf('nadia')).toBe('ALREADY_VOTED');
    // Corin votes for his account and, independently of that, as a person.
    const corin = await portal.as('corin');
    const asMember = new URL((await corin(api.ballots.openBallot, { account: 'EXAMPLE-AU', electionId })).data!.url);
    const memberAddress = asMember.pathname + asMember.search;
    expect((await cast(memberAddress, await slipAt(memberAddress), 1)).statusCode).toBe(200);
    const corinAddress = await addressOf('corin');
    expect((await cast(corinAddress, await slipAt(corinAddress), 2)).statusCode).toBe(200);
    const { rows } = (await (await portal.as('nadia'))(api.voting.listAttendeeVotes, {})).data!;
    expect(rows).toMatchObject([{ title: 'Number Council now', isVoid: false }]);
    await announceVotes(portal.db);
    await announceVotes(portal.db);
    expect((await portal.mailsTo(nadiaMail)).filter(({ subject }) => subject === 'You voted in Number Council now')).toHaveLength(1);
    expect((await (await portal.as('dora'))(api.scrutiny.getScrutiny, { electionId })).data).toMatchObject({
      attendees: { people: 2 },
      openBallots: 0,
      rounds: [{ members: 1, attendees: 2, proxies: 0, votes: 3, ballots: 3 }],
    });
    await close();
    const asked = { method: 'POST', url: `/ballots/${electionId}`, headers, payload: `receipt=${slip.receipt}` } as const;
    const page = (await portal.http.inject(asked)).body;
    expect(page).toContain('2 of 2 attendees voted (100 %)');
    expect(page).toContain('is counted</b> with 1 vote for Bo');
    await sortBallots(portal.db, new Date());
    const csv = (await portal.http.inject({ url: `/ballots/${electionId}/ballots.csv`, headers: { host: 'portal.test' } })).body;
    expect(
      csv
        .trim()
        .split('\r\n')
        .slice(1)
        .map(row => row.split(',').slice(1).join())
        .toSorted(),
    ).toEqual(['1,1', '1,2', '1,2']);
  });

  test('people who aren’t registered, attended no conference or lack a second factor get no ballot', async () => {
    for (const [who, words] of [
      ['nils', 'You aren’t registered'],
      ['olive', 'didn’t attend any'],
    ] as const)
      expect(await open(who)).toMatchObject({
        status: 409,
        errors: [{ code: 'BALLOT_CLOSED', message: expect.stringContaining(words) as string }],
      });
    // Every vote takes a second factor given just now.
    expect(await open('nadia', { mfa: false })).toMatchObject({ status: 401, errors: [{ code: 'MFA_REQUIRED' }] });
    await close();
    expect((await open('nadia')).errors![0]!.message).toContain('Closed');
    expect((await (await portal.as('nadia'))(api.ballots.openAttendeeBallot, { electionId: '99999' })).status).toBe(404);
    expect((await (await portal.as('nadia'))(api.ballots.openAttendeeBallot, { electionId: 'x' })).status).toBe(404);
  });

  test('the roll is frozen once: later imports neither add nor remove people', async () => {
    await Promise.all([freezeAttendees(portal.db, new Date()), freezeAttendees(portal.db, new Date())]);
    const stella = await portal.as('stella');
    const csv = `email,registered_at,attended\nnils@natreg.example,${inDays(-20)},no\n`;
    await stella(api.conferences.importAttendance, { conference: 'CONF-63', body: { csv, mayRemove: true } });
    expect(await reasonOf('nils')).toBe('NOT_REGISTERED');
    expect(await open('nils')).toMatchObject({ status: 409 });
    expect(await reasonOf('nadia')).toBeNull();
    const rolls = await portal.db.read.rows(sql`select email from attendee_roll where election_id = ${Number(electionId)} order by 1`);
    expect(rolls).toEqual([{ email: 'corin@example-au.example' }, { email: nadiaMail }]);
  });

  test('an address on the roll that moves to another login gives no second vote', async () => {
    await portal.db.change(line, change =>
      change.rows(sql`update attendance set login_id = null where email = ${nadiaMail} and conference in ('CONF-62', 'CONF-63')`),
    );
    await freezeAttendees(portal.db, new Date());
    await portal.db.change(line, change => change.rows(sql`update attendee_roll set login_id = null where email = ${nadiaMail}`));
    const address = await addressOf('nadia');
    expect((await cast(address, await slipAt(address), 1)).statusCode).toBe(200);
    await portal.db.change(line, change =>
      change.rows(sql`with gone as (update login set email = 'other@newcomer.example' where login_id = 'nadia' returning 1)
        update login set email = ${`x${nadiaMail}`} where login_id = 'nils' and exists (select from gone)`),
    );
    await portal.db.change(line, change => change.rows(sql`update login set email = ${nadiaMail} where login_id = 'nils'`));
    expect(await open('nils')).toMatchObject({ status: 409, errors: [{ code: 'BALLOT_CLOSED' }] });
  });

  test('a vote that is repeated notifies attendees, and their first ballots do not count', async () => {
    const address = await addressOf('nadia');
    await cast(address, await slipAt(address), 1);
    const stella = await portal.as('stella');
    const { version } = (await stella(api.elections.getElection, { electionId })).data!;
    const reset = await (await portal.as('dora'))(api.electionOptions.resetElection, {
      electionId,
      body: { version, reason: 'A name was missing' },
    });
    expect((await seconded(portal, reset)).errors).toBe(undefined);
    expect((await portal.mailsTo(nadiaMail)).map(({ subject }) => subject)).toContain('Vote again in Number Council now');
    expect((await cast(address, ownSlip(portal.config, address), 1)).statusCode).toBe(403);
    const again = await addressOf('nadia');
    expect((await cast(again, await slipAt(again), 2)).statusCode).toBe(200);
    await close();
    expect((await portal.http.inject({ url: `/ballots/${electionId}`, headers: { host: 'portal.test' } })).body).toContain(
      'the only ballot',
    );
  });

  test('the voting home of an account is one answer with members, attendees and voters, in as many statements for 30 past elections as for two', async () => {
    const corin = await portal.as('corin');
    const home = () => corin(api.voting.getMemberVoting, { account: 'EXAMPLE-AU' });
    await home();
    const few = (await statementsOf(home)).length;
    await portal.db.change(line, async change => {
      for (let number = 0; number < 30; number += 1) {
        const election = await addElection({
          change,
          body: {
            kind: 'nro-nc',
            title: `Past election ${number}`,
            description: '',
            seats: 1,
            maxSelections: 1,
            timeZone: 'Asia/Manila',
            conference: 'CONF-62',
            registrationCutOff: inDays(-40),
            candidatesUrl: '',
            resultsUrl: '',
            windows: [
              { kind: 'member-vote', opensAt: inDays(-40), closesAt: inDays(-30), url: '' },
              { kind: 'attendee-vote', opensAt: inDays(-40), closesAt: inDays(-30), url: '' },
            ],
          },
        });
        await saveOptions({
          change,
          params: { electionId: election.electionId },
          body: {
            rows: [
              { name: 'Ada', statement: '' },
              { name: 'Bo', statement: '' },
            ],
          },
        });
        await publishElection({
          change,
          params: { electionId: election.electionId },
          body: { version: election.version },
          publishedAt: new Date(Date.now() - 60 * DAY_MS),
        });
      }
    });
    let answer: Awaited<ReturnType<typeof home>> | undefined;
    const many = (await statementsOf(async () => (answer = await home()))).length;
    expect(answer!.data!.elections.filter(({ state }) => state === 'closed').length).toBeGreaterThanOrEqual(30);
    expect(answer!.data!.attendees.elections.length).toBeGreaterThanOrEqual(30);
    expect(answer!.data!.voters.length).toBeGreaterThan(0);
    expect(many).toBe(few);
  });
});
