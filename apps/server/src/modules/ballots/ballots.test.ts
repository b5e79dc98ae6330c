import { execFileSync } from 'node:child_process';
import { api } from '@portal/contract/api';
import { DAY_MS, instantAfter, SECOND_MS } from '@portal/contract/days';
import type { ElectionValues } from '@portal/contract/elections/elections';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { exampleElection, inDays } from '../../../test/example-election.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { castForm, ownSlip, type Slip, slipIn } from '../../../test/plain-ballot.ts';
import { seconded } from '../../../test/scrutineer.ts';
import { addElection, announceVotes, freezeRolls, type HandOver, ownBallots, publishElection, saveOptions } from '../elections/index.ts';
import { handOverAddress } from '../elections/hand-over.ts';
import { sortBallots } from './casting.ts';
import { ballotsFile, ballotsOf, tallyOf, tallyScript } from './tally.ts';

const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };
const values = (given: Partial<ElectionValues> = {}): ElectionValues => exampleElection({ seats: 2, maxSelections: 2, ...given });
const candidates = ['Ada', 'Bo', 'Cy'].map(name => ({ name, statement: '' }));

async function open(portal: TestPortal, given: Partial<ElectionValues> = {}): Promise<string> {
  return portal.db.change(line, async change => {
    const { electionId, version } = await addElection({ change, body: values(given) });
    await saveOptions({ change, params: { electionId }, body: { rows: candidates } });
    await publishElection({ change, params: { electionId }, body: { version }, publishedAt: new Date(Date.now() - 5 * DAY_MS) });
    return electionId;
  });
}
/** The address of a ballot that a contact opens, without the host. */
async function ballotOf(portal: TestPortal, electionId: string, who: string, account: string): Promise<string> {
  const answer = await (await portal.as(who))(api.ballots.openBallot, { account, electionId });
  const { pathname, search } = new URL(answer.data!.url);
  return pathname + search;
}
const get = (portal: TestPortal, url: string) => portal.http.inject({ url, headers: { host: 'portal.test' } });
const send = (portal: TestPortal, url: string, payload: string) =>
  portal.http.inject({
    method: 'POST',
    url,
    headers: { host: 'portal.test', 'content-type': 'application/x-www-form-urlencoded' },
    payload,
  });
/** Presses the last button of a ballot. */
const post = (portal: TestPortal, url: string, slip: Slip, choices: readonly string[]) => send(portal, url, castForm(slip, choices));
const slipAt = async (portal: TestPortal, url: string): Promise<Slip> => slipIn((await get(portal, url)).body);
const cast = async (portal: TestPortal, url: string, choices: string[]) => {
  const slip = await slipAt(portal, url);
  return { receipt: slip.receipt, answer: await post(portal, url, slip, choices) };
};
/** The ballots in the box, readable for the tests' role because it is a superuser. */
const inBox = (portal: TestPortal, electionId: string) =>
  portal.db.read.rows(sql`select receipt, votes, choices from ballots.ballot where election_id = ${Number(electionId)}`);
const close = (portal: TestPortal, electionId: string) =>
  portal.db.change(line, change =>
    change.rows(
      sql`update election_window set opens_at = ${inDays(-9)}::timestamptz, closes_at = ${inDays(-1)}::timestamptz where election_id = ${Number(electionId)}`,
    ),
  );

describe.each(kindsForRules)('the registry’s own ballots on %s', kind => {
  test('a member casts a ballot, the portal learns that they voted, not which candidates they chose, and after the close everybody can count', async () => {
    await using portal = await testPortal(kind);
    const electionId = await open(portal);
    const address = await ballotOf(portal, electionId, 'corin', 'EXAMPLE-AU');
    const page = await get(portal, address);
    expect(page.body).toContain('8 votes');
    expect(page.body).toContain('Ada');
    const { receipt, answer } = await cast(portal, address, ['1', '3']);
    expect(answer.body).toContain(receipt.match(/.{4}/g)!.join('-'));
    const { rows } = (await (await portal.as('corin'))(api.proxies.listVotes, { account: 'EXAMPLE-AU' })).data!;
    expect(rows).toMatchObject([{ title: 'Council now', votes: 8, voterName: 'Corin Achterberg' }]);
    await cast(portal, await ballotOf(portal, electionId, 'olive', 'OTHER-SG'), ['2']);
    await cast(portal, await ballotOf(portal, electionId, 'nils', 'NATREG-XX'), []);
    // Nothing is published before the close.
    expect((await get(portal, `/ballots/${electionId}/ballots.csv`)).statusCode).toBe(404);
    expect((await get(portal, `/ballots/${electionId}`)).body).not.toContain('Turnout');
    await close(portal, electionId);
    const look = (typed: string) => send(portal, `/ballots/${electionId}`, `receipt=${typed}`);
    const result = await look(receipt);
    expect(result.body).toContain('is counted</b> with 8 votes for Ada, Cy');
    expect((await look('0000000000000000')).body).toContain('No ballot has this receipt');
    const csv = (await get(portal, `/ballots/${electionId}/ballots.csv`)).body;
    const counted = execFileSync(process.execPath, ['--input-type=module', '-e', tallyScript], { input: csv, encoding: 'utf8' });
    expect(counted).toBe('ballots 3\noption 1: 8\noption 2: 4\noption 3: 8\n');
    expect(tallyOf(await ballotsOf(portal.db.read, electionId, 1), 3)).toEqual([8, 4, 8]);
  });

  test('scrutineers see counts, rounds and the log of a running vote, and no choice', async () => {
    await using portal = await testPortal(kind);
    const electionId = await open(portal);
    await freezeRolls(portal.db, new Date(), portal.context.profile);
    const { receipt } = await cast(portal, await ballotOf(portal, electionId, 'corin', 'EXAMPLE-AU'), ['1', '3']);
    await ballotOf(portal, electionId, 'olive', 'OTHER-SG');
    const [stella, dora] = [await portal.as('stella'), await portal.as('dora')];
    const seen = (await dora(api.scrutiny.getScrutiny, { electionId })).data!;
    expect(seen).toMatchObject({
      openBallots: 1,
      rounds: [{ generation: 1, members: 1, proxies: 0, votes: 8, ballots: 1 }],
      sortedAt: null,
    });
    expect(seen.roll!.accounts).toBeGreaterThan(2);
    expect(seen.turnout.at(-1)).toBe(1);
    expect(seen.log.length).toBeGreaterThan(0);
    expect(JSON.stringify(seen)).not.toMatch(new RegExp(`${receipt}|choice`, 'i'));
    const { version } = (await stella(api.elections.getElection, { electionId })).data!;
    await seconded(
      portal,
      await dora(api.electionOptions.resetElection, { electionId, body: { version, reason: 'Four could be chosen' } }),
    );
    // Who set up the election doesn't scrutinise it.
    expect((await stella(api.scrutiny.getScrutiny, { electionId })).errors![0]!.code).toBe('NO_STAFF_PERMISSION');
    const again = (await dora(api.scrutiny.getScrutiny, { electionId })).data!;
    expect(again.log.at(-1)).toMatchObject({
      by: 'Vera Lund',
      what: 'Have “Council now” voted on again: “Four could be chosen”, proposed by Dora Nwosu, approved',
    });
    expect(again.rounds.map(({ generation, members, ballots }) => [generation, members, ballots])).toEqual([
      [2, 0, 0],
      [1, 1, 1],
    ]);
    expect(await (await portal.as('corin'))(api.scrutiny.getScrutiny, { electionId })).toMatchObject({ status: 404 });
  });

  test('the contacts of an account are notified of its vote once, soon after it', async () => {
    await using portal = await testPortal(kind);
    const electionId = await open(portal);
    await cast(portal, await ballotOf(portal, electionId, 'corin', 'EXAMPLE-AU'), ['1']);
    const mails = async () =>
      (await portal.mailsTo('corin@example-au.example')).filter(({ subject }) => subject.includes(' voted in ')).length;
    await Promise.all([announceVotes(portal.db), announceVotes(portal.db)]);
    await announceVotes(portal.db);
    expect(await mails()).toBe(1);
  });

  test('no stored row links a voter to a choice', async () => {
    await using portal = await testPortal(kind);
    const electionId = await open(portal);
    const { receipt } = await cast(portal, await ballotOf(portal, electionId, 'corin', 'EXAMPLE-AU'), ['1']);
    // The receipt is in no other table, and not in the history or the activity log.
    const tables = await portal.db.read.rows<{ name: string }>(sql`select table_name as name from information_schema.tables
      where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'`);
    for (const { name } of tables) {
      const found = await portal.db.read
        .rows(sql`select 1 from ${sql.table(name)} t where t::text like ${`%${receipt}%`} limit 1`)
        .catch(() => []);
      expect([name, found]).toEqual([name, []]);
    }
    const columns = await portal.db.read.rows<{ name: string }>(
      sql`select distinct column_name as name from information_schema.columns where table_name = 'ballot' order by 1`,
    );
    expect(columns.map(({ name }) => name)).toEqual(['choices', 'election_id', 'generation', 'receipt', 'votes']);
    // After the close rows are published by one transaction, in the order of their receipts.
    await cast(portal, await ballotOf(portal, electionId, 'olive', 'OTHER-SG'), ['2']);
    await close(portal, electionId);
    await Promise.all([sortBallots(portal.db, new Date()), sortBallots(portal.db, new Date())]);
    expect(await inBox(portal, electionId)).toEqual([]);
    const kept = await portal.db.read.rows<{ receipt: string; writer: string }>(
      sql`select receipt, xmin::text as writer from ballot where election_id = ${Number(electionId)} order by ctid`,
    );
    expect(new Set(kept.map(({ writer }) => writer)).size).toBe(1);
    expect(kept.map(each => each.receipt)).toEqual(kept.map(each => each.receipt).toSorted((a, b) => (a < b ? -1 : 1)));
  });

  test('a ballot sent five times at the same time is cast once with one receipt; a second one is refused', async () => {
    await using portal = await testPortal(kind);
    const electionId = await open(portal);
    const address = await ballotOf(portal, electionId, 'corin', 'EXAMPLE-AU');
    const [slip, another] = [await slipAt(portal, address), await slipAt(portal, address)];
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(portal, address, slip, ['1'])));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
    expect(answers.filter(({ body }) => body.includes('Your ballot is cast'))).toHaveLength(1);
    const isNew = answers.find(({ body }) => body.includes('Your ballot is cast'))!.body;
    for (const way of ['data-copy="', 'data-print', 'class="qr"', `download="ballot-receipt-${electionId}.txt"`])
      expect(isNew).toContain(way);
    const file = decodeURIComponent(/href="data:text\/plain;charset=utf-8,([^"]*)"/.exec(isNew)![1]!);
    expect(file.split('\n')).toEqual([
      'Receipt of a ballot',
      expect.any(String),
      '',
      slip.receipt.match(/.{4}/g)!.join('-'),
      '',
      expect.stringMatching(new RegExp(`^Check it once voting is over: .*/ballots/${electionId}$`)),
      '',
    ]);
    // Sent again with other choices it does not say that those were cast.
    const other = await post(portal, address, slip, ['2']);
    expect(other.body).toContain('Your ballot was cast before');
    expect(other.body).toContain('What was chosen the first time counts');
    const second = await post(portal, address, another, ['2']);
    expect(second.statusCode).toBe(409);
    expect(second.body).toContain('Votes have already been cast for this account');
    expect((await get(portal, address)).body).toContain('The votes of EXAMPLE-AU are cast.');
    expect(await inBox(portal, electionId)).toEqual([{ receipt: slip.receipt, votes: 8, choices: [1] }]);
    // The portal’s own functions return no ballots before the close.
    expect(await ballotsOf(portal.db.read, electionId, 1)).toEqual([]);
  });

  test('a review page names the account, its votes and the choices before a vote is final, and an empty ballot is asked about', async () => {
    await using portal = await testPortal(kind);
    const electionId = await open(portal);
    const address = await ballotOf(portal, electionId, 'corin', 'EXAMPLE-AU');
    const slip = await slipAt(portal, address);
    const at = (step: string, choices: readonly string[]) =>
      send(portal, address, castForm(slip, choices).replace('&sure=yes', '').replace('step=cast', `step=${step}`));
    // A person who comes from the portal needn't sign in, and reads times as there.
    const first = (await get(portal, `${address}&zone=Pacific%2FAuckland`)).body;
    expect(first).toMatch(/, \d\d:\d\d <span class="quiet">in your time, \w{3} \d+ \w{3} \d{4}, \d\d:\d\d in Asia\/Manila/);
    expect(first).not.toContain('Sign in');
    expect((await get(portal, `${address}&zone=%3Cscript%3E`)).body).toContain('<span class="quiet">Asia/Manila</span>');
    const review = await at('review', ['3', '1']);
    expect(review.statusCode).toBe(200);
    for (const words of [
      'EXAMPLE-AU)',
      '8 votes for each candidate',
      'Ada',
      'Cy',
      'I have checked this ballot',
      'Cast the ballot of EXAMPLE-AU',
    ])
      expect(review.body).toContain(words);
    expect(review.body).not.toContain('Bo<');
    expect(review.body).not.toContain('abstain');
    expect(slipIn(review.body)).toEqual(slip);
    // A process of the release before casts any form with a receipt.
    expect(review.body).not.toContain('name="receipt"');
    // Without a step nothing is cast either, and a change keeps what was chosen.
    expect((await send(portal, address, castForm(slip, ['1']).replace('&step=cast', ''))).body).toContain('You can choose 1 more');
    expect((await at('choose', ['3'])).body.match(/value="\d" checked/g)).toEqual(['value="3" checked']);
    const tooMany = await at('review', ['1', '2', '3']);
    expect([tooMany.statusCode, tooMany.body]).toEqual([400, expect.stringContaining('Choose at most 2')]);
    const empty = await at('review', []);
    expect(empty.body).toContain('No candidate is chosen');
    expect(empty.body).toContain('I abstain on purpose');
    const unconfirmed = await at('cast', []);
    expect([unconfirmed.statusCode, unconfirmed.body]).toEqual([400, expect.stringContaining('Confirm below that you abstain')]);
    const unchecked = await at('cast', ['1']);
    expect([unchecked.statusCode, unchecked.body]).toEqual([
      400,
      expect.stringContaining('Confirm below that you have checked the ballot'),
    ]);
    expect(await inBox(portal, electionId)).toEqual([]);
    expect((await post(portal, address, slip, [])).body).toContain('Your ballot is cast');
    expect(await inBox(portal, electionId)).toEqual([{ receipt: slip.receipt, votes: 8, choices: [] }]);
  });

  test('a modified, expired or outdated hand-over, too many and unknown choices are refused without a trace', async () => {
    await using portal = await testPortal(kind);
    const electionId = await open(portal);
    const address = await ballotOf(portal, electionId, 'corin', 'EXAMPLE-AU');
    expect((await get(portal, address.replace('votes=8', 'votes=64'))).statusCode).toBe(404);
    expect((await get(portal, '/ballots/vote')).statusCode).toBe(404);
    const slip = await slipAt(portal, address);
    for (const choice of [['1', '2', '3'], ['4'], ['0'], ['1', '1'], ['x']]) {
      expect((await post(portal, address, slip, choice)).statusCode).toBeGreaterThanOrEqual(400);
      const reviewed = await send(portal, address, castForm(slip, choice).replace('step=cast', 'step=review'));
      expect(reviewed.statusCode).toBeGreaterThanOrEqual(400);
    }
    // A receipt is made here, for this voter: none that was chosen or is another one’s is accepted.
    const others = await slipAt(portal, await ballotOf(portal, electionId, 'olive', 'OTHER-SG'));
    for (const receipt of ['short', 'ABCDEFGH01234567', others.receipt])
      expect((await post(portal, address, { ...slip, receipt }, ['1'])).statusCode).toBe(400);
    expect((await post(portal, address, others, ['1'])).statusCode).toBe(400);
    expect((await send(portal, address, '')).statusCode).toBe(400);
    const stella = await portal.as('stella');
    const { version } = (await stella(api.elections.getElection, { electionId })).data!;
    await seconded(
      portal,
      await (await portal.as('dora'))(api.electionOptions.resetElection, { electionId, body: { version, reason: 'Four could be chosen' } }),
    );
    expect((await post(portal, address, slip, ['1'])).statusCode).toBe(403);
    expect(await inBox(portal, electionId)).toEqual([]);
  });

  test('an expired hand-over is refused to the second on both ways, and so is one replayed for another voter or election', async () => {
    await using portal = await testPortal(kind);
    const electionId = await open(portal);
    const address = new URL(await ballotOf(portal, electionId, 'corin', 'EXAMPLE-AU'), 'http://portal.test');
    const voter = address.searchParams.get('voter')!;
    const own = ownBallots(portal.config);
    const handOver = (seconds: number, given: Partial<HandOver> = {}): string => {
      const expiresAt = instantAfter(Date.now(), seconds * SECOND_MS);
      const { pathname, search } = new URL(
        handOverAddress(own.url, own.secret, { voter, votes: 8, electionId, generation: 1, expiresAt, ...given }),
      );
      return pathname + search;
    };
    const slipOf = (at: string): Slip => ownSlip(portal.config, at);
    for (const seconds of [-3600, -1]) {
      expect((await get(portal, handOver(seconds))).statusCode).toBe(410);
      const late = await post(portal, handOver(seconds), slipOf(handOver(seconds)), ['1']);
      expect([late.statusCode, late.body]).toEqual([409, expect.stringContaining('it was open for 30 minutes')]);
    }
    // A voter that was never handed over, and a signature that belongs to another key, voter or election.
    const unknown = handOver(60, { voter: crypto.randomUUID() });
    expect((await post(portal, unknown, slipOf(unknown), ['1'])).statusCode).toBe(403);
    expect((await get(portal, unknown)).statusCode).toBe(404);
    const slip = slipOf(address.href);
    const forged = new URL(handOverAddress(own.url, 'another key', { voter, votes: 8, electionId, generation: 1, expiresAt: inDays(1) }));
    expect((await post(portal, forged.pathname + forged.search, slip, ['1'])).statusCode).toBe(404);
    for (const [name, value] of [
      ['voter', crypto.randomUUID()],
      ['election', '1'],
      ['round', '2'],
      ['exp', '9999999999'],
    ] as const) {
      const changed = new URL(address);
      changed.searchParams.set(name, value);
      expect((await post(portal, changed.pathname + changed.search, slip, ['1'])).statusCode).toBe(404);
    }
    expect(await inBox(portal, electionId)).toEqual([]);
    expect((await post(portal, address.pathname + address.search, slip, ['1'])).statusCode).toBe(200);
    // A later replay returns the existing ballot, or is refused.
    expect((await post(portal, address.pathname + address.search, slip, ['2'])).statusCode).toBe(200);
    expect((await post(portal, address.pathname + address.search, slipOf(address.href), ['2'])).statusCode).toBe(409);
    expect(await inBox(portal, electionId)).toEqual([{ receipt: slip.receipt, votes: 8, choices: [1] }]);
  });

  test('an account suspended while its ballot is open can’t cast it', async () => {
    await using portal = await testPortal(kind);
    const electionId = await open(portal);
    const address = await ballotOf(portal, electionId, 'corin', 'EXAMPLE-AU');
    await portal.db.change(line, change =>
      change.rows(sql`update account set account_status = 'suspended' where account_name = 'EXAMPLE-AU'`),
    );
    const { answer } = await cast(portal, address, ['1']);
    expect([answer.statusCode, answer.body]).toEqual([409, expect.stringContaining('EXAMPLE-AU is suspended')]);
    expect(await inBox(portal, electionId)).toEqual([]);
  });

  test('acceptance scenario 21: a vote is repeated, voters are notified and vote again, and the first ballots do not count', async () => {
    await using portal = await testPortal(kind);
    const electionId = await open(portal);
    await cast(portal, await ballotOf(portal, electionId, 'corin', 'EXAMPLE-AU'), ['1']);
    const stella = await portal.as('stella');
    const { version } = (await stella(api.elections.getElection, { electionId })).data!;
    const reset = { electionId, body: { version, reason: 'Four could be chosen' } };
    expect((await seconded(portal, await (await portal.as('dora'))(api.electionOptions.resetElection, reset))).errors).toBe(undefined);
    expect((await stella(api.elections.getElection, { electionId })).data!.generation).toBe(2);
    expect((await (await portal.as('dora'))(api.electionOptions.resetElection, reset)).errors![0]!.code).toBe('STALE');
    const news = (await (await portal.as('corin'))(api.notifications.listNotifications, { query: {} })).data!.rows;
    expect(news[0]).toMatchObject({ title: 'Vote again in Council now' });
    await cast(portal, await ballotOf(portal, electionId, 'corin', 'EXAMPLE-AU'), ['2']);
    const { rows } = (await (await portal.as('corin'))(api.proxies.listVotes, { account: 'EXAMPLE-AU' })).data!;
    expect(rows.filter(({ isVoid }) => isVoid)).toHaveLength(1);
    await close(portal, electionId);
    expect((await get(portal, `/ballots/${electionId}/ballots.csv`)).body.trim().split('\r\n')).toHaveLength(2);
  });

  test('an election without options can’t be published, and options are fixed once voting has opened', async () => {
    await using portal = await testPortal(kind);
    const stella = await portal.as('stella');
    const window = { kind: 'member-vote', opensAt: inDays(1), closesAt: inDays(7), url: '' } as const;
    const { electionId, version } = (await stella(api.elections.addElection, { body: values({ windows: [window] }) })).data!;
    const publish = () => stella(api.elections.publishElection, { electionId, body: { version } });
    expect((await publish()).errors![0]).toMatchObject({
      code: 'ELECTION_NOT_READY',
      message: expect.stringContaining('at least two candidates'),
    });
    const save = (of: string) => stella(api.electionOptions.saveOptions, { electionId: of, body: { rows: candidates } });
    expect((await save(electionId)).data!.rows).toHaveLength(3);
    expect((await seconded(portal, await publish())).status).toBe(200);
    const begun = await open(portal);
    expect((await stella(api.electionOptions.saveOptions, { electionId: begun, body: { rows: [] } })).errors![0]!.code).toBe(
      'ELECTION_BEGUN',
    );
  });

  test('HTML in a candidate’s name stays text', async () => {
    await using portal = await testPortal(kind);
    const electionId = await portal.db.change(line, async change => {
      const election = await addElection({ change, body: values() });
      await saveOptions({
        change,
        params: { electionId: election.electionId },
        body: { rows: [...candidates, { name: '<script>alert(1)</script>', statement: '<img src=x>' }] },
      });
      await publishElection({
        change,
        params: { electionId: election.electionId },
        body: { version: election.version },
        publishedAt: new Date(Date.now() - 5 * DAY_MS),
      });
      return election.electionId;
    });
    const { body } = await get(portal, `/ballots/${electionId}`);
    expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(body).not.toContain('<img src=x>');
  });
});

test('ballots are published as one line each, and the counting program refuses a duplicate receipt', () => {
  const twice = ballotsFile([
    { receipt: 'A'.repeat(16), votes: 2, choices: [1] },
    { receipt: 'A'.repeat(16), votes: 2, choices: [1] },
  ]);
  expect(() => execFileSync(process.execPath, ['--input-type=module', '-e', tallyScript], { input: twice, stdio: 'pipe' })).toThrow(
    'there twice',
  );
});
