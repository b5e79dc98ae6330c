import { api } from '@portal/contract/api';
import { DAY_MS, HOUR_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  archiveOf,
  authorityName,
  ballotOf,
  cast,
  credentialList,
  draftEncrypted,
  emailOf,
  makeCredentials,
  openEncrypted,
  verified,
} from '../../../test/encrypted-election.ts';
import { inDays } from '../../../test/example-election.ts';
import { confirmLast } from '../../../test/deciding-requests.ts';
import { kindsForRules, testPortal } from '../../../test/portal.ts';
import { seconded } from '../../../test/scrutineer.ts';
import { closeVoting } from './counting.ts';
import { askAppointed } from './asking.ts';
import { noteEvents } from './noted-events.ts';

const code = ({ errors }: { errors?: { code: string }[] }): string | undefined => errors?.[0]?.code;
const windows = [{ kind: 'member-vote' as const, opensAt: inDays(3), closesAt: inDays(5), url: '' }];

describe.each(kindsForRules)('objections to the electoral roll, on %s', kind => {
  test('one that is upheld corrects the roll, and the ballot is set up again with new credentials', async () => {
    let now = Date.now();
    await using portal = await testPortal(kind, {}, () => new Date(now));
    const open = await openEncrypted(portal, { values: { windows } });
    const { electionId } = open;
    await noteEvents(portal.db);
    const before = await verified(await archiveOf(portal, electionId));
    let [corin, olive, dora, stella] = await Promise.all(['corin', 'olive', 'dora', 'stella'].map(name => portal.as(name)));
    const entry = async () => (await corin!(api.rollObjections.getRollEntry, { account: 'EXAMPLE-AU', electionId })).data!;
    expect(await entry()).toMatchObject({ votes: 8, possible: ['votes', 'code'], objections: [], fixedAt: expect.any(String) });

    const object = (about: 'votes' | 'missing' | 'code', as = corin!) =>
      as(api.rollObjections.objectToRoll, {
        account: 'EXAMPLE-AU',
        electionId,
        body: { about, reason: 'The transfer of May was not counted' },
      });
    expect((await object('missing')).errors).toMatchObject([
      { code: 'OBJECTION_NOT_POSSIBLE', message: expect.stringContaining('EXAMPLE-AU is on the roll, with 8 votes') },
    ]);
    const made = await Promise.all([object('votes'), object('votes')]);
    expect(made.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const { objectionId } = made.find(({ status }) => status === 200)!.data!;
    expect(await entry()).toMatchObject({
      possible: [],
      objections: [{ objectionId, state: 'open', votesThen: 8, madeBy: 'Corin Achterberg' }],
    });
    const mails = async (recipient: string) =>
      (await portal.db.read.rows<{ subject: string }>(sql`select subject from mail where recipient = ${recipient} order by mail_id`)).map(
        ({ subject }) => subject,
      );
    expect(await mails(await emailOf(portal, 'dora'))).toContain('Decide on an objection of EXAMPLE-AU to the roll of Council, encrypted');
    const page = async () => (await portal.request(`/elections/${electionId}`)).text();
    expect(await page()).toMatch(/1 objection\. No ballot is cast while one is open.*<dt>Open<\/dt><dd>1</s);
    expect(await page()).not.toContain('EXAMPLE-AU');

    // Only a returning officer decides; others of the account, or of another one, do not see it as theirs.
    const decide = (body: { upheld: boolean; votes: number | null; answer: string }, as = dora!) =>
      as(api.rollObjections.decideObjection, { objectionId, body });
    const upheld = { upheld: true, votes: 16, answer: 'The transfer of May belongs to the holdings' };
    expect((await decide(upheld, stella!)).status).toBe(403);
    expect(code(await olive!(api.rollObjections.withdrawObjection, { account: 'OTHER-SG', objectionId }))).toBe('NOT_FOUND');
    for (const [wrong, field] of [
      [{ ...upheld, votes: null }, 'votes'],
      [{ ...upheld, votes: 8 }, 'votes'],
      // Votes that no account has in such an election.
      [{ ...upheld, votes: 63 }, 'votes'],
      [{ ...upheld, upheld: false }, 'votes'],
    ] as const)
      expect((await decide(wrong)).errors).toMatchObject([{ code: 'INVALID_REQUEST', field }]);
    // Voting has opened meanwhile: no ballot is cast over the open objection, whatever sends it.
    now += 3.5 * DAY_MS;
    [corin, dora] = await Promise.all([portal.as('corin'), portal.as('dora')]);
    expect((await corin(api.ballotCasting.getBallotForm, { account: 'EXAMPLE-AU', electionId })).errors).toMatchObject([
      { code: 'BALLOT_CLOSED', message: expect.stringContaining('an objection to the roll isn’t decided yet') },
    ]);
    expect(await page()).toContain('Voting opens once all objections to the roll are decided');

    // A returning officer asks, and a scrutineer approves: until then nothing is corrected. Of two decisions one is made.
    for (const votes of [16, 32])
      expect(await decide({ ...upheld, votes })).toMatchObject({
        errors: [{ code: 'SECOND_PERSON' }],
        current: {
          what: `Uphold an objection to the electoral roll, with ${votes} votes`,
          waitsFor: ['Vera Lund'],
          link: `/desk/elections?election=${electionId}`,
          accountName: 'EXAMPLE-AU',
          shown: expect.arrayContaining([
            { label: 'Votes before', value: '8' },
            { label: 'Votes', value: `${votes}` },
          ]),
        },
      });
    expect(await entry()).toMatchObject({ votes: 8, objections: [{ state: 'open' }] });
    expect(code(await confirmLast(portal, 'ravi'))).toBe('SAME_ROLE');
    const waiting = (await (await portal.as('vera'))(api.proposals.listStaffProposals, {})).data!.waiting;
    const approved = await Promise.all(
      waiting.map(async ({ proposalId, fingerprint }) =>
        (await portal.as('vera'))(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } }),
      ),
    );
    expect(approved.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(code(approved.find(({ status }) => status === 409)!)).toBe('OBJECTION_NOT_POSSIBLE');
    const { votes: corrected } = await entry();
    expect([16, 32]).toContain(corrected);
    const votes = corrected!;
    expect(await entry()).toMatchObject({ votes, possible: [], objections: [{ state: 'upheld', answer: upheld.answer }] });
    const corinEmail = await emailOf(portal, 'corin');
    expect(await mails(corinEmail)).toContain('Upheld: objection of EXAMPLE-AU to the roll of Council, encrypted');

    // The archive without ballots is replaced, and says so; the trustees keep their key, and the authority makes new codes.
    const status = async () => (await dora!(api.encryptedBallotSetup.getEncryptedBallot, { electionId })).data!;
    expect(await status()).toMatchObject({ setUpAt: null, archive: null, hasCredentials: false, hasKey: true });
    expect((await status()).uuid).not.toBe(open.credentials.uuid);
    expect((await portal.request(`/elections/${electionId}/archive`)).status).toBe(404);
    expect(await page()).toContain(before.tip.hash);
    expect(await page()).toMatch(new RegExp(`Correction of the roll.*From 8 to ${votes} votes</th><td>1<`, 's'));
    // It is set up again: its page is still linked where accounts vote.
    const { elections } = (await corin(api.voting.getMemberVoting, { account: 'EXAMPLE-AU' })).data!;
    expect(elections.find(each => each.electionId === electionId)!.candidatesUrl).toBe(`/elections/${electionId}`);
    await askAppointed(portal.db, new Date(now));
    expect(await mails(await emailOf(portal, authorityName))).toContain('Make new voting codes of Council, encrypted');
    const nadia = await portal.as(authorityName);
    const credentials = await makeCredentials(portal, electionId);
    expect(credentials.byAccount.get('EXAMPLE-AU')!.votes).toBe(votes);
    const sent = await nadia(api.ballotCredentials.sendCredentials, {
      electionId,
      body: { credentials: await credentialList(credentials) },
    });
    expect(sent.errors).toBe(undefined);
    expect((await dora!(api.encryptedBallotSetup.setUpBallot, { electionId })).errors).toBe(undefined);
    await noteEvents(portal.db);

    expect((await object('votes', corin)).errors).toMatchObject([
      { code: 'OBJECTION_NOT_POSSIBLE', message: expect.stringContaining('objections are closed, as voting opens') },
    ]);
    const voting = { ...open, credentials };
    const own = await ballotOf(portal, voting, 'EXAMPLE-AU', [1], 'corin');
    expect((await cast(portal, electionId, { as: 'corin', account: 'EXAMPLE-AU', body: own })).data).toMatchObject({ votes });
    await closeVoting(portal.db, new Date(now + 2 * DAY_MS));
    expect(await verified(await archiveOf(portal, electionId))).toMatchObject({ tally: { ballots: 1, totalWeight: votes } });
  });

  test('one that is rejected or withdrawn changes nothing, and none is made in the last day before voting', async () => {
    let now = Date.now();
    await using portal = await testPortal(kind, {}, () => new Date(now));
    const { electionId } = await openEncrypted(portal, { values: { windows } });
    const seen = await archiveOf(portal, electionId);
    const [corin, olive, dora] = await Promise.all(['corin', 'olive', 'dora'].map(name => portal.as(name)));
    const object = (as = corin!, account = 'EXAMPLE-AU') =>
      as(api.rollObjections.objectToRoll, { account, electionId, body: { about: 'code', reason: 'No code has arrived at our address' } });
    const first = (await object()).data!.objectionId;
    const withdrawn = await corin!(api.rollObjections.withdrawObjection, { account: 'EXAMPLE-AU', objectionId: first });
    expect(withdrawn.data!.state).toBe('withdrawn');
    expect(
      (
        await dora!(api.rollObjections.decideObjection, {
          objectionId: first,
          body: { upheld: false, votes: null, answer: 'It came back' },
        })
      ).errors,
    ).toMatchObject([{ code: 'OBJECTION_NOT_POSSIBLE', message: expect.stringContaining('it is withdrawn') }]);
    const { objectionId } = (await object(olive!, 'OTHER-SG')).data!;
    const rejected = await dora!(api.rollObjections.decideObjection, {
      objectionId,
      body: { upheld: false, votes: null, answer: 'The code was delivered on Tuesday' },
    });
    expect(rejected.data).toMatchObject({ state: 'rejected', answer: 'The code was delivered on Tuesday' });
    const { rows } = (await dora!(api.rollObjections.listRollObjections, { electionId })).data!;
    expect(rows.map(({ accountName, state }) => [accountName, state])).toEqual([
      ['OTHER-SG', 'rejected'],
      ['EXAMPLE-AU', 'withdrawn'],
    ]);
    expect(await archiveOf(portal, electionId)).toEqual(seen);
    now += 2 * DAY_MS + HOUR_MS;
    expect((await object(await portal.as('corin'))).errors).toMatchObject([
      { code: 'OBJECTION_NOT_POSSIBLE', message: expect.stringContaining('objections are closed, as voting opens') },
    ]);
  });

  test('an account that is missing on the roll is put on it, and the database refuses to lose an archive otherwise', async () => {
    await using portal = await testPortal(kind);
    const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };
    const without = (query: ReturnType<typeof sql>) =>
      portal.db.change(line, async change => {
        await change.rows(query);
      });
    const { electionId } = await openEncrypted(portal, {
      values: { windows },
      // As for an account that was opened again after the roll was fixed.
      onRoll: made => without(sql`delete from election_roll where election_id = ${Number(made)} and account_name = 'EXAMPLE-AU'`),
    });
    const [corin, dora] = await Promise.all([portal.as('corin'), portal.as('dora')]);
    await expect(without(sql`delete from ballot_event where election_id = ${Number(electionId)}`)).rejects.toThrow('only grows');
    const draft = await draftEncrypted(portal, { values: { windows } });
    expect(code(await corin(api.rollObjections.getRollEntry, { account: 'EXAMPLE-AU', electionId: draft }))).toBe('NOT_FOUND');

    const one = { account: 'EXAMPLE-AU', electionId };
    expect((await corin(api.rollObjections.getRollEntry, one)).data).toMatchObject({ votes: null, possible: ['missing'] });
    const missing = await corin(api.rollObjections.objectToRoll, {
      ...one,
      body: { about: 'missing', reason: 'We are a member since 2019' },
    });
    const deciding = await dora(api.rollObjections.decideObjection, {
      objectionId: missing.data!.objectionId,
      body: { upheld: true, votes: 8, answer: 'The account is open, and a member' },
    });
    expect((await seconded(portal, deciding)).errors).toBe(undefined);
    const [decided] = (await dora(api.rollObjections.listRollObjections, { electionId })).data!.rows;
    expect(decided).toMatchObject({ state: 'upheld', votesThen: null, votesNow: 8 });
    expect(await (await portal.request(`/elections/${electionId}`)).text()).toContain('Missing, and put on it with 8 votes');
  });
});
