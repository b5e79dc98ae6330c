import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { api } from '@portal/contract/api';
import { DAY_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  answers,
  authorityName,
  ballotOf,
  cast,
  credentialList,
  emailOf,
  makeCredentials,
  openEncrypted,
  trusteeNames,
} from '../../../test/encrypted-election.ts';
import { exampleElection, inDays } from '../../../test/example-election.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { seconded } from '../../../test/scrutineer.ts';
import { addContact } from '../accounts/index.ts';
import { freezeRolls, rollDueAt, tooLittleToObject } from '../elections/index.ts';
import { askAppointed } from './asking.ts';
import { closeVoting } from './counting.ts';
import { noteEvents } from './noted-events.ts';
import { remindOfObjections } from './objection-reminders.ts';

const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };
const code = ({ errors }: { errors?: readonly { code: string }[] | undefined }): string | undefined => errors?.[0]?.code;
const windows = [{ kind: 'member-vote' as const, opensAt: inDays(3), closesAt: inDays(5), url: '' }];
const given = (electionId: string) => ({ account: 'EXAMPLE-AU', electionId });

/** An objection of EXAMPLE-AU. */
const object = async (portal: TestPortal, electionId: string, about: 'votes' | 'code' = 'votes') =>
  (await portal.as('corin'))(api.rollObjections.objectToRoll, {
    ...given(electionId),
    body: { about, reason: 'The transfer of May was not counted' },
  });
const decide = async (portal: TestPortal, objectionId: string, votes: number | null, upheld = true) =>
  (await portal.as('dora'))(api.rollObjections.decideObjection, { objectionId, body: { upheld, votes, answer: 'As the ledger has it' } });
const changed = ({ db }: TestPortal, query: ReturnType<typeof sql>) =>
  db.change(line, async change => {
    await change.rows(query);
  });

test('accounts have the time of the policy between what they are shown and the end of objections', () => {
  const policy = { rollObjectionHours: 24, rollObjectionPeriodHours: 72 };
  const election = {
    windows: [
      { kind: 'proxy-vote' as const, opensAt: '2027-03-10T00:00:00.000Z' },
      { kind: 'member-vote' as const, opensAt: '2027-03-05T00:00:00.000Z' },
      { kind: 'nomination' as const, opensAt: '2027-01-01T00:00:00.000Z' },
    ],
  };
  const short = (fixedAt: string | null, publishedAt: string) => tooLittleToObject(election, { fixedAt, publishedAt }, policy);
  expect(short('2027-03-01T00:00:00.000Z', '2027-02-01T00:00:00.000Z')).toBe(null);
  expect(short('2027-02-01T00:00:00.000Z', '2027-03-01T00:00:00.000Z')).toBe(null);
  expect(short('2027-03-01T00:00:00.001Z', '2027-02-01T00:00:00.000Z')).toMatch(/^Accounts have at least 72 hours to object/);
  expect(short('2027-02-01T00:00:00.000Z', '2027-03-01T00:01:00.000Z')).toMatch(/it can open from 2027-03-05 00:01 UTC on$/);
  // Fixed as it is published, or later.
  expect(short(null, '2027-03-04T00:00:00.000Z')).toMatch(/it can open from 2027-03-08 00:00 UTC on$/);
  expect(short(null, '2027-03-01T00:00:00.000Z')).toBe(null);
  expect(rollDueAt(election, policy)).toBe('2027-02-28T00:00:00.000Z');
  expect(tooLittleToObject({ windows: [] }, { fixedAt: '2027-03-01T00:00:00.000Z', publishedAt: '2027-03-01T00:00:00.000Z' }, policy)).toBe(
    null,
  );
});

describe.each(kindsForRules)('what one officer can do about a roll, on %s', kind => {
  test('who decides or approves is no contact of the account', async () => {
    await using portal = await testPortal(kind);
    const { electionId } = await openEncrypted(portal, { values: { windows } });
    const { objectionId } = (await object(portal, electionId)).data!;
    const joins = (name: string) =>
      portal.db.change(line, async change => {
        const login = await change.selectFrom('login').selectAll().where('username', '=', name).executeTakeFirstOrThrow();
        await addContact(change, {
          accountName: 'EXAMPLE-AU',
          loginId: login.loginId,
          fullName: name,
          email: login.email,
          contactTypes: ['technical'],
        });
      });
    expect(code(await decide(portal, objectionId, 16))).toBe('SECOND_PERSON');
    const vera = await portal.as('vera');
    const { proposalId, fingerprint } = (await vera(api.proposals.listStaffProposals, {})).data!.waiting.at(-1)!;
    await joins('vera');
    expect(code(await vera(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } }))).toBe('OWN_REQUEST');
    // There is no other scrutineer who could.
    expect(code(await decide(portal, objectionId, 32))).toBe('NO_SECOND_PERSON');
    await joins('dora');
    for (const [votes, upheld] of [
      [16, true],
      [null, false],
    ] as const)
      expect(code(await decide(portal, objectionId, votes, upheld))).toBe('OWN_REQUEST');
    expect((await (await portal.as('corin'))(api.rollObjections.getRollEntry, given(electionId))).data).toMatchObject({
      votes: 8,
      objections: [{ state: 'open' }],
    });
  });

  test('a corrected roll opens nothing else: questions, answers, trustees and key stay, and another authority takes two people', async () => {
    await using portal = await testPortal(kind);
    const { electionId } = await openEncrypted(portal, { values: { windows } });
    const { objectionId } = (await object(portal, electionId)).data!;
    expect((await seconded(portal, await decide(portal, objectionId, 16))).errors).toBe(undefined);
    const [stella, dora] = await Promise.all([portal.as('stella'), portal.as('dora')]);
    expect((await dora(api.encryptedBallotSetup.getEncryptedBallot, { electionId })).data).toMatchObject({ setUpAt: null, hasKey: true });

    const rows = [...answers, 'Di'].map(name => ({ name, statement: '' }));
    expect(code(await stella(api.electionOptions.saveOptions, { electionId, body: { rows } }))).toBe('ELECTION_BEGUN');
    const { version } = (await stella(api.elections.getElection, { electionId })).data!;
    const renamed = exampleElection({ title: 'Another title', description: 'Two seats', seats: 2, maxSelections: 2, windows });
    expect(code(await stella(api.elections.changeElection, { electionId, body: { ...renamed, version } }))).toBe('ELECTION_BEGUN');
    const appoint = async (authority: string, trustees: readonly string[], threshold = 2) =>
      stella(api.encryptedBallotSetup.appointTrustees, {
        electionId,
        body: {
          authority: await emailOf(portal, authority),
          trustees: await Promise.all(trustees.map(name => emailOf(portal, name))),
          threshold,
        },
      });
    const [first, second, third] = trusteeNames;
    for (const refused of [
      await appoint('max', [first, second]),
      await appoint('max', [second, first, third]),
      await appoint('max', trusteeNames, 3),
      await appoint(authorityName, trusteeNames),
    ])
      expect(code(refused)).toBe('BALLOT_SET_UP');
    const replacing = await appoint('max', trusteeNames);
    expect(replacing).toMatchObject({ errors: [{ code: 'SECOND_PERSON' }], current: { waitsFor: expect.arrayContaining(['Vera Lund']) } });
    expect((await seconded(portal, replacing)).errors).toBe(undefined);
    expect((await dora(api.encryptedBallotSetup.getEncryptedBallot, { electionId })).data).toMatchObject({
      hasKey: true,
      authority: { email: await emailOf(portal, 'max') },
    });

    // Whatever writes it, the database refuses it.
    const id = Number(electionId);
    for (const [query, says] of [
      [sql`update election_option set name = 'Eve' where election_id = ${id} and place = 1`, /its answers stay/],
      [sql`delete from election_option where election_id = ${id}`, /its answers stay/],
      [sql`update ballot_trustee set share = 'x' where election_id = ${id}`, /its trustees stay/],
      [sql`delete from ballot_trustee where election_id = ${id}`, /its trustees stay/],
      [sql`update encrypted_ballot set trustee_keys = 'x' where election_id = ${id}`, /its key stays/],
      [sql`update election set seats = 1, max_selections = 1 where election_id = ${id}`, /its questions stay/],
      [sql`update election set first_set_up_at = null where election_id = ${id}`, /its questions stay/],
      [
        sql`update election_roll set votes = 64 where election_id = ${id} and account_name = 'OTHER-SG'`,
        /by an objection that was upheld only/,
      ],
      [
        sql`update election_roll set votes = 32 where election_id = ${id} and account_name = 'EXAMPLE-AU'`,
        /by an objection that was upheld only/,
      ],
      [sql`delete from election_roll where election_id = ${id} and account_name = 'OTHER-SG'`, /by an objection that was upheld only/],
    ] as const)
      await expect(changed(portal, query)).rejects.toThrow(says);

    // The log at the desk has the decision, by both.
    const { log } = (await dora(api.scrutiny.getScrutiny, { electionId })).data!;
    expect(log).toContainEqual(
      expect.objectContaining({
        what: expect.stringMatching(/^Uphold an objection to the electoral roll, with 16 votes, proposed by Dora Nwosu/),
      }),
    );
    // A roll that accounts have just seen is not voted on.
    await changed(portal, sql`update election set roll_frozen_at = now() where election_id = ${id}`);
    expect((await dora(api.encryptedBallotSetup.setUpBallot, { electionId })).errors).toMatchObject([
      { code: 'BALLOT_NOT_READY', message: expect.stringContaining('Accounts have at least 72 hours to object to the roll') },
    ]);
  });

  test('it is published, and opens, with time to object', async () => {
    await using portal = await testPortal(kind);
    const stella = await portal.as('stella');
    const vote = (opens: number) => ({
      title: 'Council, encrypted',
      description: 'Two seats',
      seats: 2,
      maxSelections: 2,
      windows: [{ kind: 'member-vote' as const, opensAt: inDays(opens), closesAt: inDays(9), url: '' }],
    });
    const change = async (electionId: string, opens: number) => {
      const { version } = (await stella(api.elections.getElection, { electionId })).data!;
      return seconded(
        portal,
        await stella(api.elections.changeElection, { electionId, body: { ...exampleElection(vote(opens)), version } }),
      );
    };
    const publish = async (electionId: string) => {
      const { version } = (await stella(api.elections.getElection, { electionId })).data!;
      return seconded(portal, await stella(api.elections.publishElection, { electionId, body: { version } }));
    };
    const { electionId } = await openEncrypted(portal, { values: vote(3.9), publish: async () => undefined });
    expect((await publish(electionId)).errors).toMatchObject([
      { code: 'ELECTION_NOT_READY', message: expect.stringContaining('Accounts have at least 72 hours to object to the roll') },
    ]);
    expect((await change(electionId, 4.1)).errors).toBe(undefined);
    expect((await publish(electionId)).errors).toBe(undefined);
    expect((await change(electionId, 3.9)).errors).toMatchObject([
      { code: 'ELECTION_BEGUN', message: expect.stringContaining('Accounts have at least 72 hours to object to the roll') },
    ]);
    expect((await change(electionId, 5)).errors).toBe(undefined);
  });

  test('a plan without time to object is refused, and a roll that no one fixes is fixed while there is time', async () => {
    let now = Date.now();
    await using portal = await testPortal(kind, {}, () => new Date(now));
    const stella = await portal.as('stella');
    const nominated = (opens: number) =>
      exampleElection({
        seats: 2,
        maxSelections: 2,
        windows: [
          { kind: 'nomination', opensAt: inDays(0.1), closesAt: inDays(1), url: '' },
          { kind: 'member-vote', opensAt: inDays(opens), closesAt: inDays(20), url: '' },
        ],
      });
    const { electionId } = (await stella(api.elections.addElection, { body: { ...nominated(3), ballots: 'encrypted' } })).data!;
    const status = async () => (await (await portal.as('dora'))(api.encryptedBallotSetup.getEncryptedBallot, { electionId })).data!;
    expect((await status()).tooSoon).toMatch(/^Accounts have at least 72 hours to object to the roll.*it can open from/);
    const publish = async () => {
      const { version } = (await stella(api.elections.getElection, { electionId })).data!;
      return seconded(portal, await stella(api.elections.publishElection, { electionId, body: { version } }));
    };
    const change = async (opens: number) => {
      const { version } = (await stella(api.elections.getElection, { electionId })).data!;
      return stella(api.elections.changeElection, { electionId, body: { ...nominated(opens), version } });
    };
    expect((await publish()).errors).toMatchObject([
      { code: 'ELECTION_NOT_READY', message: expect.stringContaining('Accounts have at least 72 hours to object to the roll') },
    ]);
    expect((await change(9)).errors).toBe(undefined);
    expect(await status()).toMatchObject({ tooSoon: null, rollDueAt: expect.any(String), roll: null });
    expect((await publish()).errors).toBe(undefined);
    expect((await change(3)).errors).toMatchObject([{ code: 'ELECTION_BEGUN', message: expect.stringContaining('it can open from') }]);
    const isFixed = async () => {
      await freezeRolls(portal.db, new Date(now), portal.context.profile);
      return (
        (
          await portal.db.read.rows(
            sql`select 1 as fixed from election where election_id = ${Number(electionId)} and roll_frozen_at is not null`,
          )
        ).length === 1
      );
    };
    expect(await isFixed()).toBe(false);
    now = Date.parse((await status()).rollDueAt!);
    expect(await isFixed()).toBe(true);
  });

  test.each([
    [true, 'it closes later by as long, where the bylaws say so'],
    [false, 'it closes as announced, so that no one officer extends it'],
  ])(
    'an objection that no one decides holds voting up and ends nothing: officers are reminded each day (%s: %s)',
    async heldUpVotingExtended => {
      let now = Date.now();
      const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-held-up-'));
      const file = path.join(folder, 'profile.json');
      writeFileSync(file, JSON.stringify({ heldUpVotingExtended }));
      await using portal = await testPortal(kind, { REGISTRY_PROFILE: file }, () => new Date(now));
      rmSync(folder, { recursive: true });
      const { profile } = portal.context;
      const open = await openEncrypted(portal, { values: { windows } });
      const { electionId } = open;
      const [announced] = (await (await portal.as('dora'))(api.elections.getElection, { electionId })).data!.windows;
      const { objectionId } = (await object(portal, electionId)).data!;
      const reminders = async () =>
        (await portal.mailsTo(await emailOf(portal, 'dora'))).filter(({ subject }) =>
          subject.startsWith('Reminder: decide on an objection'),
        ).length;
      for (const [after, count] of [
        [0.5, 0],
        [1, 1],
        [1.5, 1],
        [2, 2],
      ] as const) {
        await remindOfObjections(portal.db, new Date(now + after * DAY_MS), profile);
        expect([after, await reminders()]).toEqual([after, count]);
      }
      const lastTo = async (name: string) => (await portal.mailsTo(await emailOf(portal, name))).at(-1)!.body;
      if (!heldUpVotingExtended) {
        now += 4 * DAY_MS;
        await remindOfObjections(portal.db, new Date(now), profile);
        expect(await lastTo('dora')).toMatch(/Voting should have opened on.*It closes on .* as announced: change the election/);
        now -= 4 * DAY_MS;
      }
      now += 6 * DAY_MS;
      await remindOfObjections(portal.db, new Date(now), profile);
      expect(await lastTo('dora')).toContain(
        heldUpVotingExtended ? 'It then closes later by as long' : 'without a ballot: cancel the election',
      );
      await closeVoting(portal.db, new Date(now));
      await expect(
        changed(
          portal,
          sql`insert into ballot_event (election_id, height, kind, hash, parent, starts_at, bytes) select election_id, 1, 'EndBallots', hash, hash, length(bytes), bytes from ballot_event
          where election_id = ${Number(electionId)}`,
        ),
      ).rejects.toThrow('is not decided');
      const dora = await portal.as('dora');
      expect((await dora(api.encryptedBallotSetup.getEncryptedBallot, { electionId })).data!.archive).toMatchObject({
        kind: 'Setup',
        ballots: 0,
      });
      expect(await (await portal.request(`/elections/${electionId}`)).text()).toContain(
        heldUpVotingExtended
          ? 'Voting opens once all objections to the roll are decided'
          : 'No ballot could be cast, as an objection to the roll wasn’t decided',
      );

      expect((await decide(portal, objectionId, null, false)).errors).toBe(undefined);
      const [window] = (await dora(api.elections.getElection, { electionId })).data!.windows;
      if (!heldUpVotingExtended) {
        expect(window!.closesAt).toBe(announced!.closesAt);
        expect(await lastTo('corin')).toContain('Voting was held up until now, and is over since: no ballot was cast.');
        return;
      }
      // Three days late: it closes three days later.
      expect(Date.parse(window!.closesAt) - Date.parse(announced!.closesAt)).toBe(now - Date.parse(announced!.opensAt));
      expect(await lastTo('corin')).toContain('Voting was held up until now, and closes on');
      const body = await ballotOf(portal, open, 'EXAMPLE-AU', [1], 'corin');
      expect((await cast(portal, electionId, { as: 'corin', account: 'EXAMPLE-AU', body })).data).toMatchObject({ votes: 8 });
      now += 3 * DAY_MS;
      await closeVoting(portal.db, new Date(now));
      expect((await (await portal.as('dora'))(api.encryptedBallotSetup.getEncryptedBallot, { electionId })).data!.archive).toMatchObject({
        kind: 'EncryptedTally',
        ballots: 1,
      });
    },
  );

  test('a note that was read before the archive was replaced is not written, and an account objects five times at most', async () => {
    await using portal = await testPortal(kind);
    const { electionId } = await openEncrypted(portal, { values: { windows } });
    const grown = await portal.db.read.rows(
      sql`select e.election_id::text as election_id, e.title, b.height, b.hash from election e join ballot_event b using (election_id) where e.election_id = ${Number(electionId)}`,
    );
    const first = (await object(portal, electionId)).data!;
    expect((await seconded(portal, await decide(portal, first.objectionId, 16))).errors).toBe(undefined);
    await noteEvents({ read: { rows: async () => grown }, change: portal.db.change.bind(portal.db) } as never);
    expect(await portal.db.read.rows(sql`select 1 as noted from noted_event`)).toEqual([]);

    const corin = await portal.as('corin');
    for (let made = 1; made < 5; made++) {
      const { objectionId } = (await object(portal, electionId, 'code')).data!;
      await corin(api.rollObjections.withdrawObjection, { account: 'EXAMPLE-AU', objectionId });
    }
    expect((await object(portal, electionId)).errors).toMatchObject([
      { code: 'OBJECTION_NOT_POSSIBLE', message: expect.stringContaining('has made 5 in this election') },
    ]);
  });

  test('none is upheld in an election that is over, and in one without anyone appointed the roll alone is corrected', async () => {
    await using portal = await testPortal(kind);
    const { electionId } = await openEncrypted(portal, { values: { windows } });
    const { objectionId } = (await object(portal, electionId)).data!;
    const stella = await portal.as('stella');
    const { version } = (await stella(api.elections.getElection, { electionId })).data!;
    const cancelling = await stella(api.elections.cancelElection, { electionId, body: { version, reason: 'A seat is gone' } });
    expect((await seconded(portal, cancelling)).errors).toBe(undefined);
    expect((await decide(portal, objectionId, 16)).errors).toMatchObject([
      { code: 'OBJECTION_NOT_POSSIBLE', message: expect.stringContaining('the election is cancelled') },
    ]);
    expect((await decide(portal, objectionId, null, false)).data).toMatchObject({ state: 'rejected' });
    expect((await portal.request(`/elections/${electionId}/archive`)).status).toBe(200);

    const { electionId: bare } = (
      await stella(api.elections.addElection, { body: { ...exampleElection({ windows }), ballots: 'encrypted' } })
    ).data!;
    await changed(
      portal,
      sql`update election set state = 'published', published_at = now() - interval '9 days', roll_frozen_at = now() - interval '9 days' where election_id = ${Number(bare)}`,
    );
    await changed(portal, sql`insert into election_roll (election_id, account_name, votes) values (${Number(bare)}, 'EXAMPLE-AU', 8)`);
    const made = (await object(portal, bare)).data!;
    expect((await seconded(portal, await decide(portal, made.objectionId, 16))).errors).toBe(undefined);
    const { data } = await (await portal.as('corin'))(api.rollObjections.getRollEntry, given(bare));
    expect(data).toMatchObject({ votes: 16, objections: [{ state: 'upheld' }] });
  });

  test('the credential authority reads which entries were corrected', async () => {
    await using portal = await testPortal(kind);
    const { electionId } = await openEncrypted(portal, { values: { windows } });
    const { objectionId } = (await object(portal, electionId)).data!;
    expect((await seconded(portal, await decide(portal, objectionId, 16))).errors).toBe(undefined);
    await askAppointed(portal.db, new Date());
    expect((await portal.mailsTo(await emailOf(portal, authorityName))).at(-1)!.body).toContain(
      'EXAMPLE-AU had 8 on the roll, and has 16.',
    );
    const credentials = await makeCredentials(portal, electionId);
    const nadia = await portal.as(authorityName);
    const sent = await nadia(api.ballotCredentials.sendCredentials, {
      electionId,
      body: { credentials: await credentialList(credentials) },
    });
    expect(sent.errors).toBe(undefined);
    expect((await (await portal.as('dora'))(api.encryptedBallotSetup.setUpBallot, { electionId })).errors).toBe(undefined);
  });
});
