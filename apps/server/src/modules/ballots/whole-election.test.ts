import { execFileSync } from 'node:child_process';
import { DAY_MS, HOUR_MS, instantAfter } from '@portal/contract/days';
import { ipv6BlocksOf, votingTierOf } from '@portal/contract/elections/voting-tiers';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { exampleElection } from '../../../test/example-election.ts';
import { migratedDatabase } from '../../../test/database/migrated-database.ts';
import { kinds } from '../../../test/portal.ts';
import { createAccount } from '../accounts/index.ts';
import { addElection, publishElection } from '../elections/elections.ts';
import { type HandOver, reportSignature, keepReportedVote } from '../elections/index.ts';
import { resetElection, saveOptions } from '../elections/options.ts';
import { readProfile } from '../../profile.ts';
import { freezeRolls } from '../elections/roll.ts';
import { delegate, importStatistics } from '../resources/index.ts';
import { castBallot, newReceipt, sortBallots } from './casting.ts';
import { ballotsFile, ballotsOf, tallyOf, tallyScript, turnoutOf } from './tally.ts';
import { anyNumbers } from '../../../test/any-numbers.ts';

/**
 * A statistics file (delegated-extended) whose holders are the members, the registry in it, and how many vote: `ELECTION_FILE=… ELECTION_REGISTRY=… ELECTION_VOTERS=8000`. Without it
 * a few members vote.
 */
const file = process.env['ELECTION_FILE'];
const registry = process.env['ELECTION_REGISTRY'] ?? 'example';
const voters = Number(process.env['ELECTION_VOTERS'] ?? 24);
const atOnce = Number(process.env['ELECTION_CONNECTIONS'] ?? 8);
const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };

/** Pseudo-random numbers, so that a failed run can be repeated. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test('in an election with double clicks, proxy races and a repeated vote, each account has one ballot, and an independent count agrees', async () => {
  await using made = await migratedDatabase(kinds.at(-1)!);
  const db = made.database;
  const casting = { db, config: readConfig({ NODE_ENV: 'test', DATABASE_URL: 'memory://' }) };
  const own = { secret: 'the key of the ballots' };
  if (file) await importStatistics(db, { ownRegistry: registry, from: file });
  else
    await db.change(line, async change => {
      for (let number = 0; number < 40; number += 1) {
        const accountName = `MEMBER-${number}`;
        await createAccount(change, {
          accountName,
          orgName: accountName,
          economy: 'AU',
          accountType: 'regular',
          accountStatus: 'open',
          memberSince: '2020-01-01',
          expiryDate: null,
        });
        if (number % 4 > 0)
          await delegate(
            change,
            {
              accountName,
              economy: 'AU',
              resource: `10.${number * 4}.0.0/${[24, 22, 20, 16][number % 4]}`,
              delegatedOn: '2020-01-01',
              type: 'allocated',
              holdUntil: null,
            },
            anyNumbers,
          );
      }
    });
  const now = Date.now();
  const at = (days: number): string => instantAfter(now, days * DAY_MS);
  const names = ['Ada', 'Bo', 'Cy', 'Di', 'Ed'];
  const electionId = await db.change(line, async change => {
    const election = await addElection({
      change,
      body: exampleElection({ windows: [{ kind: 'member-vote', opensAt: at(-1), closesAt: at(6), url: '' }] }),
    });
    await saveOptions({
      change,
      params: { electionId: election.electionId },
      body: { rows: names.map(name => ({ name, statement: '' })) },
    });
    await publishElection({
      change,
      params: { electionId: election.electionId },
      body: { version: election.version },
      publishedAt: new Date(now - 2 * DAY_MS),
    });
    return election.electionId;
  });

  // The roll: none before the window opens, then frozen once, with the votes by tier.
  const profile = readProfile('');
  await freezeRolls(db, new Date(now - 2 * DAY_MS), profile);
  const rollOf = () =>
    db.read.rows<{ accountName: string; votes: number; nir: boolean; ipv4: string; ipv6: string }>(sql`
      select r.account_name, r.votes, a.nir, coalesce(sum(d.size) filter (where d.kind = 'ipv4'), 0)::text as ipv4,
        coalesce(sum(d.size) filter (where d.kind = 'ipv6'), 0)::text as ipv6
      from election_roll r join account a using (account_name) left join delegation d on d.account_name = r.account_name and d.status <> 'closed'
      where r.election_id = ${Number(electionId)} group by r.account_name, r.votes, a.nir order by r.account_name`);
  expect(await rollOf()).toEqual([]);
  await freezeRolls(db, new Date(), profile);
  const roll = await rollOf();
  expect(roll.length).toBeGreaterThanOrEqual(voters);
  for (const { votes, nir, ipv4, ipv6 } of roll)
    expect(votes).toBe(
      nir
        ? profile.nirVotes
        : votingTierOf(profile.votingTiers, { ipv4Addresses: BigInt(ipv4), ipv6Blocks: ipv6BlocksOf(BigInt(ipv6)) }).votes,
    );

  /** Opens the ballots of many accounts in a round, as the portal hands them over. */
  const openAll = async (generation: number, accounts: typeof roll): Promise<(HandOver & { accountName: string })[]> => {
    const rows = await db.change(line, change =>
      change.rows<{ voter: string; votes: number; accountName: string }>(sql`
        insert into ballot_session (election_id, generation, account_name, cast_as, voter_name, votes, opened_at, expires_at)
        select ${Number(electionId)}, ${generation}, r.account_name, 'member', 'Voter', r.votes, now(), now() + interval '1 hour'
        from election_roll r where r.election_id = ${Number(electionId)} and r.account_name = any (${accounts.map(each => each.accountName)}::text[])
        returning voter_id as voter, votes, account_name`),
    );
    return rows.map(row => ({ ...row, electionId, generation, expiresAt: instantAfter(Date.now(), HOUR_MS) }));
  };
  const random = randomFrom(7);
  const chosen = new Map<string, { choices: number[]; votes: number }>();
  let refused = 0;
  /** Casts all ballots over several connections: each is sent twice at the same time, and a tenth once more with another choice. */
  const castAll = async (handed: readonly HandOver[]): Promise<void> => {
    const rest = [...handed];
    const worker = async (): Promise<void> => {
      for (let next = rest.pop(); next; next = rest.pop()) {
        const choices = [1, 2, 3, 4, 5].filter(() => random() < 0.5).slice(0, 3);
        const receipt = newReceipt();
        const answers = await Promise.allSettled([1, 2].map(() => castBallot(casting, next!, { receipt, choices })));
        expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
        expect(answers.filter(answer => answer.status === 'fulfilled' && answer.value)).toHaveLength(1);
        chosen.set(receipt, { choices, votes: next.votes });
        if (random() < 0.1) {
          await expect(castBallot(casting, next, { receipt: newReceipt(), choices: [1] })).rejects.toMatchObject({
            code: 'VOTES_CAST',
          });
          refused += 1;
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  };

  // A third vote, then the vote is repeated, and their ballots and hand-overs do not count any more.
  const early = await openAll(1, roll.slice(0, Math.floor(voters / 3)));
  await castAll(early.slice(1));
  const [{ version }] = (await db.read.rows<{ version: number }>(
    sql`select version from election where election_id = ${Number(electionId)}`,
  )) as [{ version: number }];
  const reset = await db.change(line, change =>
    resetElection({ change, params: { electionId }, body: { version, reason: 'Four could be chosen' } }),
  );
  expect(reset).toEqual({ generation: 2, voided: early.length - 1 });
  await expect(castBallot(casting, early[0]!, { receipt: newReceipt(), choices: [1] })).rejects.toMatchObject({
    code: 'VOTE_REPORT_REFUSED',
  });
  chosen.clear();

  const start = performance.now();
  const handed = await openAll(2, roll.slice(0, voters));
  // Some accounts appoint a proxy while their ballot is open: whichever comes first wins.
  const racing = handed.slice(0, Math.min(20, Math.floor(voters / 4)));
  const outcome = await Promise.all(
    racing.map(async ({ accountName, voter, votes, ...rest }, index) => {
      const receipt = newReceipt();
      const ballot = castBallot(casting, { voter, votes, ...rest }, { receipt, choices: [1 + (index % 5)] }).then(
        () => true,
        () => false,
      );
      const proxy = db
        .change(line, async change => {
          await change.rows(sql`select 1 from account where account_name = ${accountName} for no key update`);
          const [voted] = await change.rows(
            sql`select 1 from election_vote where election_id = ${Number(electionId)} and generation = 2 and account_name = ${accountName}`,
          );
          if (voted) throw new Error('voted');
          const [contact] = await change.rows<{
            contactId: string;
          }>(sql`insert into contact (account_name, full_name, email, contact_types, permissions)
            values (${accountName}, 'C', ${`c${index}@example.net`}, '{corporate}', '{}') returning contact_id`);
          await change.rows(sql`insert into election_proxy (election_id, account_name, full_name, email, appointed_by, appointed_at)
            values (${Number(electionId)}, ${accountName}, 'Proxy', 'p@example.net', ${contact!.contactId}::uuid, now())`);
        })
        .then(
          () => true,
          () => false,
        );
      const [cast, appointed] = await Promise.all([ballot, proxy]);
      expect(cast).not.toBe(appointed);
      if (cast) chosen.set(receipt, { choices: [1 + (index % 5)], votes });
      return cast;
    }),
  );
  await castAll(handed.slice(racing.length));
  const seconds = (performance.now() - start) / 1000;

  await db.change(line, change =>
    change.rows(sql`update election_window set opens_at = ${at(-9)}::timestamptz, closes_at = ${instantAfter(Date.now(), -1)}::timestamptz
      where election_id = ${Number(electionId)}`),
  );
  // One ballot for each account that voted, none lost, none twice, and three counts that agree.
  const ballots = await ballotsOf(db.read, electionId, 2);
  const expected = handed.length - outcome.filter(cast => !cast).length;
  expect(ballots).toHaveLength(expected);
  expect((await turnoutOf(db.read, electionId)).accounts.did).toBe(expected);
  for (const { receipt, choices, votes } of ballots) expect(chosen.get(receipt)).toEqual({ choices, votes });
  const sums = tallyOf(ballots, names.length);
  const independent = names.map((_, index) =>
    [...chosen.values()].filter(({ choices }) => choices.includes(index + 1)).reduce((sum, { votes }) => sum + votes, 0),
  );
  expect(sums).toEqual(independent);
  await sortBallots(db, new Date());
  const counted = execFileSync(process.execPath, ['--input-type=module', '-e', tallyScript], {
    input: ballotsFile(await ballotsOf(db.read, electionId, 2)),
    encoding: 'utf8',
  });
  expect(counted).toBe(`ballots ${expected}\n${sums.map((votes, index) => (votes > 0 ? `option ${index + 1}: ${votes}\n` : '')).join('')}`);
  // A replayed signed report changes nothing either.
  const again = handed.at(-1)!;
  const votedAt = new Date().toISOString();
  const report = { voter: again.voter, votedAt, signature: reportSignature(own.secret, again.voter, votedAt) };
  expect(await db.change(line, change => keepReportedVote(change, report, own.secret))).toBe(false);
  if (file)
    process.stderr.write(
      `members ${roll.length}, ballots ${expected}, second choices refused ${refused}, ${Math.round(handed.length / seconds)} ballots/s, each sent twice, over ${atOnce} connections\n`,
    );
}, 1_800_000);
