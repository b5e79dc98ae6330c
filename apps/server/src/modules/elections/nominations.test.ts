import { api } from '@portal/contract/api';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { drawBallots } from './candidates.ts';
import { addElection, publishElection } from './elections.ts';

const line = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };
const at = (days: number): string => instantAfter(Date.now(), days * DAY_MS);

/** A published election whose nominations the portal holds, open for ten days. */
const anElection = (portal: TestPortal, kind: 'ec' | 'sig' = 'ec'): Promise<string> =>
  portal.db.change(line, async change => {
    const ofMembers = kind === 'ec';
    const { electionId, version } = await addElection({
      change,
      body: {
        kind,
        title: 'Council election',
        description: '',
        seats: 1,
        maxSelections: 1,
        timeZone: 'UTC',
        conference: ofMembers ? null : 'CONF-62',
        registrationCutOff: ofMembers ? null : at(20),
        candidatesUrl: '',
        resultsUrl: '',
        windows: [
          { kind: 'nomination', opensAt: at(-1), closesAt: at(10), url: '' },
          ofMembers
            ? { kind: 'member-vote', opensAt: at(12), closesAt: at(20), url: '' }
            : { kind: 'attendee-vote', opensAt: at(12), closesAt: at(20), url: 'https://vote.registry.example/sig' },
        ],
      },
    });
    await publishElection({ change, params: { electionId }, body: { version } });
    return electionId;
  });
const body = (more: object = {}) => ({
  account: 'EXAMPLE-AU' as string | null,
  fullName: 'Nadia Newcomer',
  email: '',
  emailAgain: '',
  organisation: 'Example Networks',
  reason: 'She ran the exchange point for ten years.',
  ...more,
});
const emailOf = async (portal: TestPortal, username: string): Promise<string> =>
  (await portal.db.read.rows<{ email: string }>(sql`select email from login where username = ${username}`))[0]!.email;

describe.each(kindsForRules)('nominations on %s', kind => {
  test('a member nominates, the nominee agrees, staff check, and the candidate is put on the ballot by lot', async () => {
    await using portal = await testPortal(kind);
    const electionId = await anElection(portal);
    const email = await emailOf(portal, 'nadia');
    const [corin, nadia, stella, olive] = [
      await portal.as('corin'),
      await portal.as('nadia'),
      await portal.as('stella'),
      await portal.as('olive'),
    ];
    const nominated = await corin(api.nominations.nominate, { electionId, body: body({ email: email.toUpperCase(), emailAgain: email }) });
    expect(nominated.data).toMatchObject({ state: 'awaiting-nominee', accountName: 'EXAMPLE-AU' });
    expect((await portal.mailsTo(email)).map(({ subject }) => subject)).toEqual(['You are nominated in Council election']);
    const again = await olive(api.nominations.nominate, { electionId, body: body({ account: null, email, emailAgain: email }) });
    expect(again.errors?.[0]?.code).toBe('NOMINATION_CLOSED');
    const second = await corin(api.nominations.nominate, { electionId, body: body({ email, emailAgain: email }) });
    expect(second.errors?.[0]).toMatchObject({ code: 'ALREADY_NOMINATED' });

    // No one is a candidate without having agreed.
    const { nominationId } = nominated.data!;
    const early = await stella(api.nominations.judgeNomination, { nominationId, body: { eligible: true, reason: '' } });
    expect(early.errors?.[0]?.code).toBe('NOMINATION_CLOSED');
    expect(await olive(api.nominations.getOwnNomination, { electionId })).toMatchObject({ status: 404 });
    expect(await olive(api.nominations.answerNomination, { electionId, body: { accept: true, statement: '' } })).toMatchObject({
      status: 404,
    });
    expect(await olive(api.nominations.withdrawNomination, { nominationId })).toMatchObject({ status: 404 });
    await nadia(api.nominations.answerNomination, { electionId, body: { accept: true, statement: '<b>I</b> stand for peering.' } });
    expect((await corin(api.nominations.listCandidates, { electionId })).data!.rows).toEqual([]);
    expect((await stella(api.nominations.judgeNomination, { nominationId, body: { eligible: true, reason: '' } })).status).toBeLessThan(
      300,
    );
    expect((await olive(api.nominations.listCandidates, { electionId })).data!.rows).toEqual([
      { fullName: 'Nadia Newcomer', organisation: 'Example Networks', statement: '<b>I</b> stand for peering.', nominatedBy: 'EXAMPLE-AU' },
    ]);
    // A statement that changes is checked again.
    await nadia(api.nominations.answerNomination, { electionId, body: { accept: true, statement: 'I stand for peering.' } });
    expect((await olive(api.nominations.listCandidates, { electionId })).data!.rows).toEqual([]);
    await stella(api.nominations.judgeNomination, { nominationId, body: { eligible: true, reason: '' } });

    await drawBallots(portal.db, new Date(at(9)));
    expect((await stella(api.electionOptions.listOptions, { electionId })).data!.rows).toEqual([]);
    await portal.db.change(line, change =>
      change.rows(
        sql`update election_window set closes_at = ${at(-0.5)}::timestamptz where kind = 'nomination' and election_id = ${Number(electionId)}`,
      ),
    );
    await drawBallots(portal.db, new Date());
    await drawBallots(portal.db, new Date());
    expect((await stella(api.electionOptions.listOptions, { electionId })).data!.rows).toEqual([
      { name: 'Nadia Newcomer', statement: 'I stand for peering.' },
    ]);
    const late = await nadia(api.nominations.answerNomination, { electionId, body: { accept: false, statement: '' } });
    expect(late.errors?.[0]?.code).toBe('NOMINATION_CLOSED');
  });

  test('an empty ballot is filled even after voting has opened, including late checks, and is fixed from then on', async () => {
    await using portal = await testPortal(kind);
    const electionId = await anElection(portal);
    const [corin, nadia, stella] = [await portal.as('corin'), await portal.as('nadia'), await portal.as('stella')];
    const email = await emailOf(portal, 'nadia');
    const { nominationId } = (await corin(api.nominations.nominate, { electionId, body: body({ email, emailAgain: email }) })).data!;
    await nadia(api.nominations.answerNomination, { electionId, body: { accept: true, statement: 'I stand for peering.' } });
    // Nominations close when voting opens, and she hasn't been checked yet.
    await portal.db.change(line, change =>
      change.rows(
        sql`update election_window set closes_at = case kind when 'nomination' then ${at(-0.5)}::timestamptz else closes_at end,
          opens_at = case kind when 'nomination' then opens_at else ${at(-0.5)}::timestamptz end where election_id = ${Number(electionId)}`,
      ),
    );
    await drawBallots(portal.db, new Date());
    const options = async () => (await stella(api.electionOptions.listOptions, { electionId })).data!.rows.map(({ name }) => name);
    expect(await options()).toEqual([]);
    const decide = (eligible: boolean) =>
      stella(api.nominations.judgeNomination, { nominationId, body: { eligible, reason: 'Too late.' } });
    expect((await decide(true)).status).toBeLessThan(300);
    await drawBallots(portal.db, new Date());
    expect(await options()).toEqual(['Nadia Newcomer']);
    expect((await decide(false)).errors?.[0]?.code).toBe('ELECTION_BEGUN');
    const other = await stella(api.electionOptions.saveOptions, { electionId, body: { rows: [{ name: 'Else', statement: '' }] } });
    expect(other.errors?.[0]?.code).toBe('ELECTION_BEGUN');
  });

  test('a nomination by another contact counts once a corporate contact authorises it, and only then is the nominee asked', async () => {
    await using portal = await testPortal(kind);
    const electionId = await anElection(portal);
    const [tess, corin, olive] = [await portal.as('tess'), await portal.as('corin'), await portal.as('olive')];
    const given = body({ email: 'new@person.example', emailAgain: 'new@person.example' });
    const { nominationId, state } = (await tess(api.nominations.nominate, { electionId, body: given })).data!;
    expect(state).toBe('awaiting-authorisation');
    expect(await portal.mailsTo('new@person.example')).toEqual([]);
    expect((await portal.mailsTo(await emailOf(portal, 'corin'))).map(({ subject }) => subject)).toContain(
      'Authorise a nomination in Council election',
    );
    const authorise = { nominationId, body: { authorise: true } };
    expect(await tess(api.nominations.authoriseNomination, { account: 'EXAMPLE-AU', ...authorise })).toMatchObject({ status: 403 });
    expect(await olive(api.nominations.authoriseNomination, { account: 'EXAMPLE-AU', ...authorise })).toMatchObject({ status: 404 });
    expect((await corin(api.nominations.authoriseNomination, { account: 'EXAMPLE-AU', ...authorise })).status).toBeLessThan(300);
    expect(await portal.mailsTo('new@person.example')).toHaveLength(1);
    const twice = await corin(api.nominations.authoriseNomination, { account: 'EXAMPLE-AU', ...authorise });
    expect(twice.errors?.[0]?.code).toBe('NOMINATION_CLOSED');
    const shown = (await corin(api.nominations.getNominations, { electionId, query: { account: 'EXAMPLE-AU' } })).data!;
    expect(shown.rows).toMatchObject([{ state: 'awaiting-nominee', withdrawable: false, authorisable: false }]);
    expect(JSON.stringify(shown)).not.toContain('new@person.example');
  });

  test('for attendee elections a person without an account can nominate, at most ten a day, and mismatched addresses are refused', async () => {
    await using portal = await testPortal(kind);
    const electionId = await anElection(portal, 'sig');
    const nadia = await portal.as('nadia');
    const nominate = (number: number) => {
      const email = `person-${number}@example.net`;
      return nadia(api.nominations.nominate, { electionId, body: body({ account: null, email, emailAgain: email }) });
    };
    for (let number = 1; number <= 10; number++) expect((await nominate(number)).data?.state).toBe('awaiting-nominee');
    expect((await nominate(11)).errors?.[0]?.code).toBe('TOO_MANY_REQUESTS');
    const wrong = await nadia(api.nominations.nominate, {
      electionId,
      body: body({ account: null, email: 'a@example.net', emailAgain: 'b@example.net', reason: 'short' }),
    });
    expect(wrong.errors?.map(({ field }) => field)).toEqual(['reason', 'emailAgain']);
  });
});
