import { readFile } from 'node:fs/promises';
import { api } from '@portal/contract/api';
import { DAY_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  answers,
  archiveOf,
  authorityName,
  ballotOf,
  cast,
  credentialList,
  decryptAs,
  draftEncrypted,
  emailOf,
  makeCredentials,
  makeThresholdKey,
  openEncrypted,
  type OpenEncrypted,
  sendTrusteeMessage,
  trusteeNames,
  trusteeView,
  verified,
} from '../../../test/encrypted-election.ts';
import { inDays } from '../../../test/example-election.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { seconded } from '../../../test/scrutineer.ts';
import {
  createCertificate,
  createPolynomial,
  createTrusteeKey,
  jsonHash,
  modulus,
  newCredential,
  newPrivateKey,
  newSeed,
  polynomialJson,
  signedMessageJson,
  trusteeKeyJson,
} from './protocol.ts';
import { keysOf } from '../../../test/encrypted-election.ts';
import { ballotLists } from './ballot-lists.ts';
import { closeVoting } from './counting.ts';
import { noteEvents } from './noted-events.ts';

const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };
const code = ({ errors }: { errors?: { code: string }[] }): string | undefined => errors?.[0]?.code;

test('the file that checks opened ballots is saved, and is the one of the package', async () => {
  await using portal = await testPortal(kindsForRules.at(-1)!);
  const answer = await portal.request('/elections/check-ballot.html');
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="check-ballot.html"');
  expect(await answer.text()).toBe(
    await readFile(new URL('../../../../../packages/ballots/verifier/check-ballot.html', import.meta.url), 'utf8'),
  );
});

describe.each(kindsForRules)('encrypted ballots on %s', kind => {
  test('an election is set up, voted on, counted by its trustees, and proven at each step', async () => {
    await using portal = await testPortal(kind);
    const open = await openEncrypted(portal);
    const { electionId } = open;
    const seen = await verified(await archiveOf(portal, electionId));
    expect(seen).toMatchObject({ stage: 'Setup', ballots: [], election: { name: 'Council, encrypted' } });
    expect(seen.trustees.map(each => each.kind)).toEqual(['Single', 'Pedersen']);

    const votes = [
      { as: 'corin', account: 'EXAMPLE-AU', weight: 8, chosen: [0, 2] },
      { as: 'olive', account: 'OTHER-SG', weight: 4, chosen: [1] },
      { as: 'nils', account: 'NATREG-XX', weight: 64, chosen: [0] },
      { as: 'corin', account: 'LABNET-AU', weight: 1, chosen: [] },
    ];
    const form = await (await portal.as('corin'))(api.ballotCasting.getBallotForm, { account: 'EXAMPLE-AU', electionId });
    expect(form.data).toMatchObject({
      votes: 8,
      statements: ['', '', ''],
      authority: { fullName: 'Nadia Haddad', email: await emailOf(portal, authorityName) },
    });
    const trackers: string[] = [];
    for (const { as, account, weight, chosen } of votes) {
      const body = await ballotOf(portal, open, account, chosen, as);
      const { data } = await cast(portal, electionId, { as, account, body });
      expect(data).toEqual({ tracker: body.tracker, trackerHex: Buffer.from(body.tracker, 'base64').toString('hex'), votes: weight });
      trackers.push(body.tracker);
    }
    const archive = await verified(await archiveOf(portal, electionId));
    expect(archive.ballots.map(({ tracker, weight }) => [tracker, weight])).toEqual(
      trackers.map((each, place) => [each, votes[place]!.weight]),
    );
    // Each event that an hour ends with is noted once, and everyone sees it beside the trackers.
    await noteEvents(portal.db);
    await noteEvents(portal.db);
    const notes = await portal.db.read.rows<{ height: number; hash: string }>(sql`select height, hash from noted_event`);
    expect(notes).toEqual([{ height: 4, hash: archive.tip.hash }]);
    const page = async () => (await portal.request(`/elections/${electionId}`)).text();
    const during = await page();
    for (const shown of [
      ...trackers,
      archive.tip.hash,
      'Voting is open until',
      '4 ballots in the archive',
      'belenios-tool election verify',
      'Nadia Haddad',
      await jsonHash(form.data!.parameters),
    ])
      expect(during).toContain(shown);
    expect(during).not.toContain('Result');
    const corin = await portal.as('corin');
    expect((await corin(api.voting.getMemberVoting, { account: 'EXAMPLE-AU' })).data!.elections).toContainEqual(
      expect.objectContaining({
        electionId,
        candidatesUrl: `/elections/${electionId}`,
        voted: { by: 'Corin Achterberg', at: expect.any(String) },
      }),
    );
    expect((await corin(api.proxies.listVotes, { account: 'EXAMPLE-AU' })).data!.rows[0]).toMatchObject({ votes: 8, castAs: 'member' });

    // Many are listed a page at a time, and counted once for each state of the archive.
    let queries = 0;
    const rows: typeof portal.db.read.rows = query => {
      queries++;
      return portal.db.read.rows(query);
    };
    const listOf = ballotLists({ rows }, 3);
    const sorted = trackers.toSorted((a, b) => (a < b ? -1 : 1));
    const starts = [sorted[0], sorted[3]];
    expect(await listOf(electionId, 'one', 1)).toEqual({ count: 4, page: 1, starts, trackers: sorted.slice(0, 3) });
    expect(await listOf(electionId, 'one', 9)).toEqual({ count: 4, page: 2, starts, trackers: sorted.slice(3) });
    expect(queries).toBe(3);
    expect((await listOf(electionId, 'two', -1)).page).toBe(1);
    expect(queries).toBe(5);

    // Everyone loads all trackers, and looks for one at home.
    const box = await (await portal.request(`/api/elections/${electionId}/trackers`)).json();
    expect(box).toEqual({
      rows: trackers
        .map((tracker, place) => ({ tracker, votes: votes[place]!.weight }))
        .toSorted((a, b) => (a.tracker < b.tracker ? -1 : 1)),
      archiveHash: archive.tip.hash,
    });

    // Nothing is decrypted before the close, nor before the registry has started the count.
    const dora = await portal.as('dora');
    const readable = [1, 4, 8, 64];
    const count = () => dora(api.encryptedBallotSetup.startCount, { electionId, body: { readableVotes: readable } });
    expect(code(await count())).toBe('BALLOT_NOT_READY');
    await closeVoting(portal.db, new Date());
    expect((await verified(await archiveOf(portal, electionId))).stage).toBe('Ballot');
    await closeVoting(portal.db, new Date(Date.now() + 2 * DAY_MS));
    await closeVoting(portal.db, new Date(Date.now() + 2 * DAY_MS));
    expect(await verified(await archiveOf(portal, electionId))).toMatchObject({
      stage: 'EncryptedTally',
      tally: { ballots: 4, totalWeight: 77 },
    });
    expect((await trusteeView(portal, 'hana', electionId)).next).toBe(null);
    // All sums of these four voters say how each voted, and staff confirm that they know.
    const blind = await dora(api.encryptedBallotSetup.startCount, { electionId, body: { readableVotes: [64] } });
    expect(blind.errors).toMatchObject([
      { code: 'BALLOT_NOT_READY', message: expect.stringContaining('give away how the voter with 1 vote') },
    ]);
    // Another returning officer is of the same role: a scrutineer approves it, and reads whose votes the sums give away.
    const counting = await count();
    const ravi = await portal.as('ravi');
    const [asked] = (await ravi(api.proposals.listStaffProposals, {})).data!.waiting;
    expect(asked).toMatchObject({
      what: 'Start the count of “Council, encrypted”',
      link: `/desk/elections?election=${electionId}`,
      waitsFor: ['Vera Lund'],
      needsRole: '“Observe elections”',
      shown: expect.arrayContaining([{ label: 'Readable', value: '1, 4, 8, 64' }]),
    });
    expect((await dora(api.encryptedBallotSetup.getEncryptedBallot, { electionId })).data!.archive!.kind).toBe('EncryptedTally');
    expect((await seconded(portal, counting)).errors).toBe(undefined);
    const { archive: begun } = (await dora(api.encryptedBallotSetup.getEncryptedBallot, { electionId })).data!;
    expect(begun).toMatchObject({ kind: 'PartialDecryption', ballots: 4 });

    const decrypt = async (name: (typeof trusteeNames)[number], message: string) =>
      sendTrusteeMessage(portal, name, { electionId, step: 'decryption', message });
    const ofHana = await decryptAs(portal, open, 'hana');
    expect((await decrypt('tilda', ofHana)).errors).toMatchObject([
      { code: 'TRUSTEE_MESSAGE_REFUSED', message: expect.stringContaining('does not hold') },
    ]);
    expect((await decrypt('hana', ofHana)).errors).toBe(undefined);
    expect(code(await decrypt('hana', ofHana))).toBe('BALLOT_NOT_READY');
    expect((await dora(api.encryptedBallotSetup.getEncryptedBallot, { electionId })).data!.result).toBe(null);
    expect((await decrypt('tilda', await decryptAs(portal, open, 'tilda'))).errors).toBe(undefined);
    const { data: counted } = await dora(api.encryptedBallotSetup.getEncryptedBallot, { electionId });
    expect(counted!.result).toEqual({
      blank: 1,
      answers: [
        { name: 'Ada', votes: 72 },
        { name: 'Bo', votes: 4 },
        { name: 'Cy', votes: 8 },
      ],
    });
    expect(await page()).toMatch(/All ballots are counted.*<bdi>Ada<\/bdi><\/th><td>72<\/td>.*Blank ballots<\/bdi><\/th><td>1</s);
    // The third trustee is not needed any more, and what was published before is still there.
    expect((await trusteeView(portal, 'olive', electionId)).next).toBe(null);
    const whole = await archiveOf(portal, electionId);
    expect(await verified(whole)).toMatchObject({ stage: 'Result', result: [[1, 72, 4, 8]], decryptedBy: [1, 2, 4] });
    expect(counted!.archive!.bytes).toBe(whole.length);
    // No row of ours names a voter beside a ballot, and the history has no copy of one.
    const copies = await portal.db.read.rows(
      sql`select 1 as copy from row_change where table_name in ('ballot_event', 'voting_right', 'ballot_credential')`,
    );
    expect(copies).toEqual([]);
  });

  test('the archive is downloaded by everyone, whole or from a place on', async () => {
    await using portal = await testPortal(kind);
    const { electionId } = await openEncrypted(portal);
    const whole = await portal.request(`/elections/${electionId}/archive`);
    expect(whole.headers.get('content-disposition')).toMatch(/^attachment; filename="[1-9A-HJ-NP-Za-km-z]{14}\.bel"$/);
    const bytes = Buffer.from(await whole.arrayBuffer());
    const part = async (range: string) => {
      const answer = await portal.request(`/elections/${electionId}/archive`, { headers: { range } });
      return { status: answer.status, range: answer.headers.get('content-range'), body: Buffer.from(await answer.arrayBuffer()) };
    };
    expect(await part('bytes=1000-1999')).toEqual({
      status: 206,
      range: `bytes 1000-1999/${bytes.length}`,
      body: bytes.subarray(1000, 2000),
    });
    expect((await part('bytes=1500-')).body).toEqual(bytes.subarray(1500));
    expect(await part(`bytes=${bytes.length}-`)).toMatchObject({ status: 416, range: `bytes */${bytes.length}` });
    const draft = await draftEncrypted(portal);
    for (const path of [
      `/elections/${draft}`,
      '/elections/999999',
      '/elections/x',
      `/elections/${draft}/archive`,
      `/api/elections/${draft}/trackers`,
      '/api/elections/999999/trackers',
      '/api/elections/x/trackers',
      '/elections/999999/archive',
      '/elections/x/archive',
      '/elections/1e3/archive',
    ])
      expect((await portal.request(path)).status).toBe(404);
  });
});

describe.each(kindsForRules)('what is refused on encrypted ballots, on %s', kind => {
  let portal: TestPortal;
  let open: OpenEncrypted;
  beforeAll(async () => {
    portal = await testPortal(kind);
    open = await openEncrypted(portal);
    return () => portal[Symbol.asyncDispose]();
  });

  const example = (chosen: readonly number[] = [0]) => ballotOf(portal, open, 'EXAMPLE-AU', chosen, 'corin');
  const castIt = (body: { ballot: string; rightKey: string }, { as = 'corin', account = 'EXAMPLE-AU' } = {}) =>
    cast(portal, open.electionId, { as, account, body });
  const events = async () =>
    (
      await portal.db.read.rows<{ kind: string }>(
        sql`select kind from ballot_event where election_id = ${Number(open.electionId)} order by height`,
      )
    ).map(each => each.kind);

  test('ballots that are not as their voter made them, or not of this voter, and the box stays as it is', async () => {
    const { ballot, rightKey } = await example();
    const changed = (make: (ballot: Record<string, unknown> & { answers: [{ choices: { alpha: string; beta: string }[] }] }) => void) => {
      const made = JSON.parse(ballot) as Parameters<typeof make>[0];
      make(made);
      return JSON.stringify(made);
    };
    const other = await openEncrypted(portal);
    const ofOther = await ballotOf(portal, other, 'EXAMPLE-AU', [0], 'corin');
    const ofOlive = await ballotOf(portal, open, 'OTHER-SG', [1], 'olive');
    const alpha = (number: bigint) => changed(({ answers: [{ choices }] }) => void (choices[0]!.alpha = `${number}`));
    const refused: [what: string, body: { ballot: string; rightKey: string }, says: RegExp][] = [
      [
        'a proof is changed',
        { ballot: ballot.replace(/(?<="response":")\d/, digit => (digit === '1' ? '2' : '1')), rightKey },
        /signature is of another ballot|does not hold|not signed/,
      ],
      ['0 is no element', { ballot: alpha(0n), rightKey }, /not between 0 and the modulus/],
      ['an element of order 2', { ballot: alpha(modulus - 1n), rightKey }, /signature is of another ballot|element/],
      ['a number outside of the subgroup', { ballot: alpha(3n), rightKey }, /signature is of another ballot|element/],
      ['a number beyond the group', { ballot: alpha(modulus + 4n), rightKey }, /not between 0 and the modulus/],
      ['a second spelling', { ballot: ballot.replace('{', '{ '), rightKey }, /one form/],
      ['more than a ballot has', { ballot: changed(made => void (made['more'] = 1)), rightKey }, /field/],
      ['no ballot at all', { ballot: 'yes', rightKey }, /refused/],
      ['far too long', { ballot: `${ballot.slice(0, -1)}${' '.repeat(200_000)}}`, rightKey }, /more than \d+ characters/],
      ['another election', ofOther, /another election/],
      [
        'another hash of the questions',
        { ballot: changed(made => void (made['election_hash'] = `${'A'.repeat(43)}`)), rightKey },
        /another election, or for other questions/,
      ],
      ['the ballot of another account, copied', ofOlive, /not the one of EXAMPLE-AU/],
      ['the right of another account', { ballot, rightKey: ofOlive.rightKey }, /not the one of EXAMPLE-AU/],
    ];
    for (const [what, body, says] of refused) {
      const { errors } = await castIt(body);
      expect([what, errors?.[0]]).toMatchObject([what, { code: 'BALLOT_REFUSED', message: expect.stringMatching(says) }]);
    }
    // A credential that no authority made.
    const own = {
      ...open,
      credentials: { ...open.credentials, byAccount: new Map([['EXAMPLE-AU', { credential: newCredential(), votes: 8 }]]) },
    };
    const made = await ballotOf(portal, own, 'EXAMPLE-AU', [0], 'corin');
    expect((await castIt(made)).errors).toMatchObject([
      { code: 'BALLOT_REFUSED', message: expect.stringContaining('not of this election') },
    ]);
    expect(code(await castIt({ ballot, rightKey: 'x' }))).toBe('INVALID_REQUEST');
    expect(await events()).toEqual(['Setup']);
  });

  test('second ballots, copies and races: one of each account is in the box, and the same one sent again is answered', async () => {
    const first = await example();
    const second = await example([1]);
    const answered = await Promise.all([castIt(first), castIt(second), castIt(first), castIt(second)]);
    const done = answered.filter(({ status }) => status === 200);
    expect(done.length).toBeGreaterThan(0);
    expect(new Set(done.map(({ data }) => data!.tracker)).size).toBe(1);
    for (const refused of answered.filter(({ status }) => status !== 200))
      expect(['VOTES_CAST', 'TOO_MANY_REQUESTS']).toContain(code(refused));
    const [kept, not] = done[0]!.data!.tracker === first.tracker ? [first, second] : [second, first];
    expect(await castIt(kept)).toMatchObject({ status: 200, data: { tracker: kept.tracker, votes: 8 } });
    expect(code(await castIt(not))).toBe('VOTES_CAST');
    // Someone else who sends it again casts nothing.
    expect((await castIt(kept, { as: 'olive', account: 'OTHER-SG' })).errors).toMatchObject([
      { code: 'BALLOT_REFUSED', message: expect.stringContaining('not the one of OTHER-SG') },
    ]);
    expect(await events()).toEqual(['Setup', 'Ballot']);
    const { version } = (await (await portal.as('stella'))(api.elections.getElection, { electionId: open.electionId })).data!;
    const again = await (await portal.as('dora'))(api.electionOptions.resetElection, {
      electionId: open.electionId,
      body: { version, reason: 'A mistake' },
    });
    expect(again.errors).toMatchObject([{ code: 'ELECTION_BEGUN', message: expect.stringContaining('repeated as another election') }]);
  });

  test('who may not vote, and ballots of today’s kind', async () => {
    const { electionId } = open;
    const { tracker: _tracker, ...body } = await ballotOf(portal, open, 'OTHER-SG', [1], 'olive');
    const bill = await portal.as('bill');
    expect(code(await bill(api.ballotCasting.castBallot, { account: 'EXAMPLE-AU', electionId, body }))).toBe('NO_PERMISSION');
    const alone = await portal.as('olive', { mfa: false });
    expect(code(await alone(api.ballotCasting.castBallot, { account: 'OTHER-SG', electionId, body }))).toMatch(/^MFA/);
    const olive = await portal.as('olive');
    expect((await olive(api.ballots.openBallot, { account: 'OTHER-SG', electionId })).errors).toMatchObject([
      { code: 'BALLOT_CLOSED', message: expect.stringContaining('encrypted') },
    ]);
    expect((await portal.request(`/ballots/${electionId}`)).status).toBe(404);
    for (const each of [await draftEncrypted(portal), '999999', 'x'])
      expect(code(await olive(api.ballotCasting.castBallot, { account: 'OTHER-SG', electionId: each, body }))).toBe('NOT_FOUND');
  });

  test('an administrator with the role of the portal can neither change votes, ballots and roll, nor put in a ballot that follows', async () => {
    const id = Number(open.electionId);
    const wrong: [statement: ReturnType<typeof sql>, says: RegExp][] = [
      [sql`delete from ballot_event where election_id = ${id} and kind = 'Ballot'`, /only grows/],
      [sql`update ballot_event set hash = hash where election_id = ${id}`, /only grows/],
      [sql`update election_roll set votes = 64 where election_id = ${id} and account_name = 'OTHER-SG'`, /its roll stays/],
      [sql`delete from election_roll where election_id = ${id}`, /its roll stays/],
      [
        sql`insert into election_vote (election_id, generation, account_name, votes, cast_as, voter_name, cast_at) values (${id}, 1, 'OTHER-SG', 64, 'member', 'x', now())`,
        /does not give OTHER-SG 64 votes/,
      ],
      [
        sql`insert into ballot_event (election_id, height, kind, hash, parent, starts_at, bytes, tracker, credential_hash, votes)
          select ${id}, 7, 'Ballot', hash, hash, 0, bytes, 'x', null, null from ballot_event where election_id = ${id} and height = 0`,
        /does not go on with Ballot at 7/,
      ],
    ];
    for (const [statement, says] of wrong) await expect(portal.db.change(line, change => change.rows(statement))).rejects.toThrow(says);
    // One that follows in form, with no proof behind it, is found by anyone who reads the archive.
    await expect(
      portal.db.change(line, async change => {
        await change.rows(sql`insert into ballot_event (election_id, height, kind, hash, parent, starts_at, bytes, tracker, credential_hash, votes)
          select election_id, height + 1, 'Ballot', encode(sha256('x'), 'hex'), hash, starts_at + length(bytes), bytes, repeat('A', 43),
            (select credential_hash from ballot_credential c where c.election_id = e.election_id and c.votes = 64 limit 1), 64
          from ballot_event e where election_id = ${id} order by height desc limit 1`);
        const broken = await Promise.all(
          (portal.context.modules.find(({ name }) => name === 'encrypted-ballots')!.invariants ?? []).map(({ check }) =>
            check({
              read: change,
              accounts: null,
              profile: portal.context.profile,
              modules: portal.context.modules,
              secrets: portal.config,
              now: new Date(),
            }),
          ),
        );
        throw new Error(
          broken
            .flat()
            .map(({ problem }) => problem)
            .join('; '),
        );
      }),
    ).rejects.toThrow(/does not hold.*0 accounts voted, and 1 ballots are in the archive/);
  });

  test('late ballots, and ballots of a cancelled election', async () => {
    const late = await openEncrypted(portal);
    const body = await ballotOf(portal, late, 'OTHER-SG', [1], 'olive');
    await closeVoting(portal.db, new Date(Date.now() + 2 * DAY_MS));
    expect((await cast(portal, late.electionId, { as: 'olive', account: 'OTHER-SG', body })).errors).toMatchObject([
      { code: 'BALLOT_CLOSED', message: expect.stringContaining('voting is over') },
    ]);
    const stella = await portal.as('stella');
    const { version } = (await stella(api.elections.getElection, { electionId: late.electionId })).data!;
    await seconded(
      portal,
      await stella(api.elections.cancelElection, { electionId: late.electionId, body: { version, reason: 'A mistake' } }),
    );
    expect((await cast(portal, late.electionId, { as: 'olive', account: 'OTHER-SG', body })).errors).toMatchObject([
      { code: 'BALLOT_CLOSED', message: expect.stringContaining('cancelled') },
    ]);
  });
});

describe.each(kindsForRules)('setting encrypted ballots up, on %s', kind => {
  let portal: TestPortal;
  let electionId: string;
  beforeAll(async () => {
    portal = await testPortal(kind);
    electionId = await draftEncrypted(portal);
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  test('encrypted ballots have no attendees and no other voting system, and are chosen once', async () => {
    const stella = await portal.as('stella');
    const base = {
      kind: 'other',
      title: 'Other vote',
      description: '',
      seats: null,
      maxSelections: null,
      timeZone: 'Asia/Manila',
    } as const;
    const rest = { conference: null, registrationCutOff: null, candidatesUrl: '', resultsUrl: '' };
    const add = async (window: { kind: 'member-vote' | 'proxy-vote' | 'attendee-vote'; url: string }) =>
      stella(api.elections.addElection, {
        body: { ...base, ...rest, windows: [{ ...window, opensAt: inDays(1), closesAt: inDays(2) }], ballots: 'encrypted' },
      });
    for (const window of [
      { kind: 'proxy-vote', url: 'https://vote.registry.example' },
      { kind: 'attendee-vote', url: '' },
      { kind: 'member-vote', url: 'https://vote.registry.example' },
    ] as const)
      expect((await add(window)).errors![0]!.field).toContain(`windows.${window.kind}`);
    const { data } = await add({ kind: 'member-vote', url: '' });
    const { electionId: added, version, state: _state, ...values } = data!;
    const windows = [{ kind: 'member-vote' as const, opensAt: inDays(1), closesAt: inDays(2), url: 'https://vote.registry.example' }];
    const change = await stella(api.elections.changeElection, { electionId: added, body: { ...base, ...rest, windows, version } });
    expect(change.errors![0]!.field).toBe('windows.member-vote.url');
    expect(values.ballots).toBe('encrypted');
    expect((await stella(api.elections.publishElection, { electionId: added, body: { version } })).errors).toMatchObject([
      { code: 'ELECTION_NOT_READY', message: expect.stringContaining('Set up the encrypted ballot first') },
    ]);
    const { data: plain } = await stella(api.elections.addElection, { body: { ...base, ...rest, windows: [] } });
    expect(plain!.ballots).toBe('plain');
    expect(code(await (await portal.as('dora'))(api.encryptedBallotSetup.fixRoll, { electionId: plain!.electionId }))).toBe('NOT_FOUND');
  });

  test('the authority is not of the registry, and each person has one part', async () => {
    const stella = await portal.as('stella');
    const appoint = async (given: { authority?: string; trustees?: string[]; threshold?: number | null }) =>
      (
        await stella(api.encryptedBallotSetup.appointTrustees, {
          electionId,
          body: {
            authority: given.authority ?? (await emailOf(portal, authorityName)),
            trustees: given.trustees ?? [await emailOf(portal, 'hana')],
            threshold: given.threshold ?? null,
          },
        })
      ).errors?.map(({ field, message }) => [field, message]);
    const [nadia, hana, stan] = await Promise.all([authorityName, 'hana', 'stan'].map(name => emailOf(portal, name)));
    expect(await appoint({ authority: stan! })).toMatchObject([['authority', expect.stringContaining('registry staff')]]);
    expect(await appoint({ authority: 'unknown@registry.example' })).toMatchObject([['authority', expect.stringContaining('No login')]]);
    expect(await appoint({ trustees: [nadia!] })).toMatchObject([['trustees.0', expect.stringContaining('can’t be a trustee')]]);
    expect(await appoint({ trustees: [hana!, hana!.toUpperCase()] })).toMatchObject([['trustees.1', 'This trustee is there twice']]);
    expect(await appoint({ threshold: 2 })).toMatchObject([['threshold', 'There are 1 trustees']]);
    // Who sets an election up does not count it.
    for (const name of ['stella', 'ola'])
      expect(code(await (await portal.as(name))(api.encryptedBallotSetup.fixRoll, { electionId }))).toBe('NO_STAFF_PERMISSION');
  });

  test('the roll and credentials: only the authority, only with the votes of the roll', async () => {
    const nadia = await portal.as(authorityName);
    const send = (credentials: string) => nadia(api.ballotCredentials.sendCredentials, { electionId, body: { credentials } });
    expect(code(await nadia(api.ballotCredentials.takeRoll, { electionId }))).toBe('BALLOT_NOT_READY');
    const credentials = await makeCredentials(portal, electionId);
    const list = await credentialList(credentials);
    for (const name of ['hana', 'corin', 'stella']) {
      const person = await portal.as(name);
      expect([name, code(await person(api.ballotCredentials.takeRoll, { electionId }))]).toEqual([name, 'NOT_FOUND']);
      expect([name, code(await person(api.ballotCredentials.sendCredentials, { electionId, body: { credentials: list } }))]).toEqual([
        name,
        'NOT_FOUND',
      ]);
    }
    const [first, ...lines] = list.split('\n');
    const wrong: [list: string, says: RegExp][] = [
      [[first!.replace(/ \d+$/, ' 63'), ...lines].join('\n'), /credentials have \d+ votes?; on the roll \d+ accounts have as many/],
      [[first, first, ...lines].join('\n'), /credentials and \d+ rights/],
      [lines.join('\n'), /credentials and \d+ rights/],
      [list.replace(first!, first!.replace(/^\d/, '')), /element|isn’t a credential/],
      [list.replace(first!, `1 ${first!.split(' ')[1]}`), /isn’t a credential/],
      ['nothing', /an empty line/],
      [list.slice(0, -2), /hexadecimal/],
    ];
    for (const [text, says] of wrong)
      expect((await send(text)).errors).toMatchObject([{ field: 'credentials', message: expect.stringMatching(says) }]);
    const sent = await send(list);
    expect(sent.data).toMatchObject({ accounts: credentials.byAccount.size, fingerprint: expect.stringMatching(/^[\w+/]{43}$/) });
    expect((await send(list)).data).toEqual(sent.data);
  });

  test('trustees: one step after the other, each with a message that others can check', async () => {
    const send = (name: string, step: Parameters<typeof sendTrusteeMessage>[2]['step'], message: unknown) =>
      sendTrusteeMessage(portal, name, { electionId, step, message: typeof message === 'string' ? message : JSON.stringify(message) });
    expect(code(await send('corin', 'certificate', '{}'))).toBe('NOT_FOUND');
    expect(code(await send('hana', 'key', trusteeKeyJson(await createTrusteeKey(newPrivateKey()))))).toBe('BALLOT_NOT_READY');
    const seeds = trusteeNames.map(() => newSeed());
    const certificates = await Promise.all(seeds.map(seed => createCertificate(seed)));
    const forged = signedMessageJson({ ...certificates[0]!, message: certificates[1]!.message });
    expect(await send('hana', 'certificate', forged)).toMatchObject({
      errors: [{ code: 'TRUSTEE_MESSAGE_REFUSED', message: expect.stringContaining('not signed') }],
    });
    expect(code(await send('hana', 'certificate', '{"message":'))).toBe('TRUSTEE_MESSAGE_REFUSED');
    expect((await send('hana', 'certificate', signedMessageJson(certificates[0]!))).errors).toBe(undefined);
    expect(code(await send('hana', 'polynomial', '{}'))).toBe('BALLOT_NOT_READY');
    expect(await send('olive', 'certificate', signedMessageJson(certificates[0]!))).toMatchObject({
      errors: [{ message: expect.stringContaining('the same certificate') }],
    });
    for (const place of [1, 2]) await send(trusteeNames[place]!, 'certificate', signedMessageJson(certificates[place]!));
    const keys = await keysOf((await trusteeView(portal, 'hana', electionId)).certificates!);
    const ofThree = polynomialJson(await createPolynomial(keys, { seed: seeds[0]!, threshold: 3 }));
    expect(await send('hana', 'polynomial', ofThree)).toMatchObject({
      errors: [{ message: expect.stringContaining('threshold of 3, not of 2') }],
    });
    const ofOlive = polynomialJson(await createPolynomial(keys, { seed: seeds[1]!, threshold: 2 }));
    expect(await send('hana', 'polynomial', ofOlive)).toMatchObject({
      errors: [{ message: expect.stringContaining('not signed by their trustee') }],
    });
    const dora = await portal.as('dora');
    expect((await dora(api.encryptedBallotSetup.setUpBallot, { electionId })).errors).toMatchObject([
      { code: 'BALLOT_NOT_READY', message: expect.stringContaining('the trustees haven’t made the key') },
    ]);
  });

  test('from the setup on nothing is changed that ballots are made with', async () => {
    await using own = await testPortal(kind);
    const { electionId: setUp } = await openEncrypted(own);
    const stella = await own.as('stella');
    const { version, ...election } = (await stella(api.elections.getElection, { electionId: setUp })).data!;
    expect(election.setUpAt).not.toBe(null);
    const { kind: of, description, seats, maxSelections, timeZone, conference, registrationCutOff, candidatesUrl, resultsUrl } = election;
    const windows = election.windows.map(({ kind: which, opensAt, closesAt, url }) => ({ kind: which, opensAt, closesAt, url }));
    const values = {
      kind: of,
      description,
      seats,
      maxSelections,
      timeZone,
      conference,
      registrationCutOff,
      candidatesUrl,
      resultsUrl,
      windows,
      version,
    };
    const renamed = await stella(api.elections.changeElection, { electionId: setUp, body: { ...values, title: 'Another title' } });
    expect(renamed.errors).toMatchObject([{ code: 'ELECTION_BEGUN', message: expect.stringContaining('is set up') }]);
    const rows = [...answers, 'Di'].map(name => ({ name, statement: '' }));
    expect(code(await stella(api.electionOptions.saveOptions, { electionId: setUp, body: { rows } }))).toBe('ELECTION_BEGUN');
    const dora = await own.as('dora');
    expect(code(await dora(api.encryptedBallotSetup.fixRoll, { electionId: setUp }))).toBe('BALLOT_SET_UP');
    expect(code(await dora(api.encryptedBallotSetup.setUpBallot, { electionId: setUp }))).toBe('BALLOT_SET_UP');
    expect(code(await sendTrusteeMessage(own, 'hana', { electionId: setUp, step: 'share', message: '{}' }))).toBe('BALLOT_SET_UP');
    const nadia = await own.as(authorityName);
    expect(code(await nadia(api.ballotCredentials.sendCredentials, { electionId: setUp, body: { credentials: '1' } }))).toBe(
      'BALLOT_SET_UP',
    );
  });

  test('trustees who are needed each have a key of their own', async () => {
    await using own = await testPortal(kind);
    const each = await draftEncrypted(own, { threshold: null });
    const credentials = await makeCredentials(own, each);
    const nadia = await own.as(authorityName);
    await nadia(api.ballotCredentials.sendCredentials, { electionId: each, body: { credentials: await credentialList(credentials) } });
    const send = async (name: string, message: object) =>
      sendTrusteeMessage(own, name, { electionId: each, step: 'key', message: JSON.stringify(message) });
    const key = trusteeKeyJson(await createTrusteeKey(newPrivateKey()));
    expect((await send('hana', { ...key, public_key: `${modulus - 1n}` })).errors).toMatchObject([{ code: 'TRUSTEE_MESSAGE_REFUSED' }]);
    expect((await send('hana', key)).errors).toBe(undefined);
    expect((await send('olive', key)).errors).toMatchObject([{ message: expect.stringContaining('the same key') }]);
    for (const name of ['olive', 'tilda']) await send(name, trusteeKeyJson(await createTrusteeKey(newPrivateKey())));
    const { data } = await (await own.as('dora'))(api.encryptedBallotSetup.setUpBallot, { electionId: each });
    expect(data).toMatchObject({ hasKey: true, archive: { kind: 'Setup', height: 0, ballots: 0 } });
  });

  test('a new appointment discards keys and credentials of the one before', async () => {
    await using own = await testPortal(kind);
    const again = await draftEncrypted(own);
    await makeThresholdKey(own, again);
    const stella = await own.as('stella');
    expect((await stella(api.encryptedBallotSetup.getEncryptedBallot, { electionId: again })).data).toMatchObject({ hasKey: true });
    const { data } = await stella(api.encryptedBallotSetup.appointTrustees, {
      electionId: again,
      body: { authority: await emailOf(own, authorityName), trustees: [await emailOf(own, 'hana')], threshold: null },
    });
    expect(data).toMatchObject({ hasKey: false, hasCredentials: false, trustees: [{ place: 1, next: 'key' }] });
  });
});
