import { execFileSync } from 'node:child_process';
import fs from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { DAY_MS, HOUR_MS, instantAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createAccount } from '../../src/modules/accounts/index.ts';
import { sortBallots } from '../../src/modules/ballots/casting.ts';
import { ballotsFile, ballotsOf, tallyScript } from '../../src/modules/ballots/tally.ts';
import { addElection, publishElection } from '../../src/modules/elections/elections.ts';
import { handOverAddress, ownBallots } from '../../src/modules/elections/hand-over.ts';
import { freezeRolls, saveOptions } from '../../src/modules/elections/index.ts';
import { resetElection } from '../../src/modules/elections/options.ts';
import { importStatistics } from '../../src/modules/resources/index.ts';
import { readProfile } from '../../src/profile.ts';
import { migratedDatabase, type TestCopy } from '../database/migrated-database.ts';
import { exampleElection } from '../example-election.ts';
import { castForm, ownSlip, type Slip } from '../plain-ballot.ts';
import { kinds } from '../portal.ts';
import { smallestWebBuild } from './smallest-web-build.ts';
import { freePort } from '../database/throwaway-postgres.ts';
import { KillableProgram as Program } from './killable-program.ts';

/**
 * A whole election of the members of a real file: `ELECTION_FILE=… ELECTION_REGISTRY=… ELECTION_VOTERS=8000 ELECTION_KILLS=8`. Without it a few members vote, as
 * starting programs is what costs.
 */
const file = process.env['ELECTION_FILE'];
const voters = Number(process.env['ELECTION_VOTERS'] ?? 60);
const kills = Number(process.env['ELECTION_KILLS'] ?? 2);
const atOnce = Number(process.env['ELECTION_CONNECTIONS'] ?? 8);
const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };
const names = ['Ada', 'Bo', 'Cy', 'Di', 'Ed'];

describe.runIf(kinds.includes('postgres'))('portal and ballot programs that are killed while votes are cast', () => {
  let made: TestCopy;
  let folder: string;
  let programs: [Program, Program];
  let config: ReturnType<typeof readConfig>;
  beforeAll(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-ballots-'));
    made = await migratedDatabase('postgres');
    const [first, second, webFolder] = await Promise.all([freePort(), freePort(), smallestWebBuild()]);
    const environment = {
      NODE_ENV: 'test',
      DATA_DIR: folder,
      DATABASE_URL: made.url,
      ROLES: 'web',
      APP_URL: `http://127.0.0.1:${first}`,
      LOG_LEVEL: 'error',
    };
    config = readConfig({ ...environment, PORT: String(first) });
    programs = [new Program(first, environment, webFolder), new Program(second, environment, webFolder)];
    await Promise.all(programs.map(program => program.start()));
  }, 900_000);
  afterAll(async () => {
    for (const program of programs) await program.kill();
    await made[Symbol.asyncDispose]();
    await fs.rm(folder, { recursive: true, force: true });
  });

  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  /** Sends a ballot to a program; null where it is down, or broke off in the middle. */
  const send = (program: Program, address: string, slip: Slip, choices: readonly number[]): Promise<number | null> =>
    new Promise(resolve => {
      const body = castForm(slip, choices);
      const headers = {
        host: new URL(config.appUrl).host,
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': Buffer.byteLength(body),
      };
      const request = http.request({ agent, host: '127.0.0.1', port: program.port, path: address, method: 'POST', headers }, answer => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode!)).on('error', () => resolve(null));
      });
      request.on('error', () => resolve(null)).end(body);
    });
  /** Presses the button twice, once at each program, and again with the same receipt until one of them answers. */
  const cast = async (address: string, slip: Slip, choices: readonly number[]): Promise<number> => {
    for (;;) {
      const answers = await Promise.all(programs.map(program => send(program, address, slip, choices)));
      const said = answers.filter(status => status !== null && status < 500) as number[];
      if (said.length > 0) {
        // Cast with one of them; a reset between both answers makes the other refuse the same ballot.
        return said.includes(200) ? 200 : said[0]!;
      }
      await Promise.any(programs.map(({ ready }) => ready));
    }
  };

  test('each account that voted has exactly one ballot, as its receipt says, and an independent count agrees', {
    timeout: HOUR_MS,
  }, async () => {
    const db = made.database;
    if (file) await importStatistics(db, { ownRegistry: process.env['ELECTION_REGISTRY'] ?? 'example', from: file });
    else
      await db.change(line, async change => {
        for (let number = 0; number < voters + 10; number += 1)
          await createAccount(change, {
            accountName: `MEMBER-${number}`,
            orgName: `Member ${number}`,
            economy: 'AU',
            accountType: 'regular',
            accountStatus: 'open',
            memberSince: '2020-01-01',
            expiryDate: null,
          });
      });
    const now = Date.now();
    const electionId = await db.change(line, async change => {
      const election = await addElection({
        change,
        body: exampleElection({
          windows: [{ kind: 'member-vote', opensAt: instantAfter(now, -DAY_MS), closesAt: instantAfter(now, DAY_MS), url: '' }],
        }),
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
    await freezeRolls(db, new Date(), readProfile(''));
    const own = ownBallots(config);
    type Handed = { accountName: string; address: string; votes: number };
    /** Hands accounts over, as the portal does when their ballots are opened. */
    const openAll = async (generation: number, most: number): Promise<Handed[]> => {
      const rows = await db.change(line, change =>
        change.rows<{ voter: string; votes: number; accountName: string }>(sql`
          insert into ballot_session (election_id, generation, account_name, cast_as, voter_name, votes, opened_at, expires_at)
          select ${Number(electionId)}, ${generation}, r.account_name, 'member', 'Voter', r.votes, now(), now() + interval '3 hours'
          from (select m.* from election_roll m join account a using (account_name) where m.election_id = ${Number(electionId)} and a.account_status = 'open'
            order by md5(account_name) limit ${most}) r
          returning voter_id as voter, votes, account_name`),
      );
      const expiresAt = instantAfter(Date.now(), 3 * HOUR_MS);
      return rows.map(({ voter, votes, accountName }) => {
        const { pathname, search } = new URL(handOverAddress(own.url, own.secret, { voter, votes, electionId, generation, expiresAt }));
        return { accountName, address: pathname + search, votes };
      });
    };
    /** Choices by receipt, as voters wrote them down. */
    const written = new Map<string, { choices: number[]; votes: number; accountName: string }>();
    /** Has all vote, over so many connections; `onCast` hears how many have. Returns how many were refused, by status. */
    const castAll = async (handed: readonly Handed[], onCast: (count: number) => void): Promise<Map<number, number>> => {
      const rest = [...handed];
      const refused = new Map<number, number>();
      let count = 0;
      const worker = async (): Promise<void> => {
        for (let next = rest.pop(); next; next = rest.pop()) {
          const slip = ownSlip(config, next.address);
          const { receipt } = slip;
          const choices = names
            .map((_, index) => index + 1)
            .filter(place => receipt.charCodeAt(place) % 2 === 0)
            .slice(0, 3);
          const status = await cast(next.address, slip, choices);
          if (status === 200) {
            written.set(receipt, { choices, votes: next.votes, accountName: next.accountName });
            onCast(++count);
          } else refused.set(status, (refused.get(status) ?? 0) + 1);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, worker));
      return refused;
    };

    // The first round is repeated while its votes are cast: all who were shown a receipt are notified.
    const first = await openAll(1, Math.floor(voters / 3));
    let reset: Promise<{ generation: number; voided: number }> | null = null;
    const [{ version }] = (await db.read.rows<{ version: number }>(
      sql`select version from election where election_id = ${Number(electionId)}`,
    )) as [{ version: number }];
    const late = await castAll(first, count => {
      if (count >= first.length / 2)
        reset ??= db.change(line, change =>
          resetElection({ change, params: { electionId }, body: { version, reason: 'Four could be chosen' } }),
        );
    });
    const { generation, voided } = await reset!;
    expect(generation).toBe(2);
    expect(voided).toBe(written.size);
    expect([...late.keys()].every(status => status === 403)).toBe(true);
    expect(voided + (late.get(403) ?? 0)).toBe(first.length);
    written.clear();

    // In the second round programs are killed in turn, each while the other goes on or is starting again; and some accounts appoint a proxy while they vote.
    const handed = await openAll(2, voters);
    const started = performance.now();
    let killed = 0;
    const killing: Promise<void>[] = [];
    const proxied = new Set<string>();
    const racing = handed.slice(0, Math.min(50, Math.floor(voters / 4)));
    const races = racing.map(({ accountName }, index) =>
      db
        .change(line, async change => {
          await change.rows(sql`select 1 from account where account_name = ${accountName} for no key update`);
          const voted = await change.rows(
            sql`select 1 from election_vote where election_id = ${Number(electionId)} and generation = 2 and account_name = ${accountName}`,
          );
          if (voted.length > 0) return;
          const [contact] = await change.rows<{ contactId: string }>(sql`
            insert into contact (account_name, full_name, email, contact_types, permissions) values (${accountName}, 'C', ${`c${index}@example.net`}, '{corporate}', '{}') returning contact_id`);
          await change.rows(sql`insert into election_proxy (election_id, account_name, full_name, email, appointed_by, appointed_at)
            values (${Number(electionId)}, ${accountName}, 'Proxy', 'p@example.net', ${contact!.contactId}::uuid, now())`);
          proxied.add(accountName);
        })
        .catch(() => {}),
    );
    const refused = await castAll([...handed.slice(racing.length), ...racing], count => {
      const due = Math.min(kills, Math.floor((count * (kills + 1)) / handed.length));
      for (; killed < due; killed += 1) {
        const program = programs[killed % 2]!;
        killing.push(program.kill().then(() => program.start()));
      }
    });
    const seconds = (performance.now() - started) / 1000;
    await Promise.all([...races, ...killing]);
    expect(killed).toBe(kills);

    await db.change(line, change =>
      change.rows(sql`update election_window set opens_at = ${instantAfter(now, -3 * DAY_MS)}::timestamptz, closes_at = ${instantAfter(Date.now(), -1)}::timestamptz
        where election_id = ${Number(electionId)}`),
    );
    const before = await ballotsOf(db.read, electionId, 2);
    await sortBallots(db, new Date());
    const ballots = await ballotsOf(db.read, electionId, 2);
    expect(ballots).toEqual(before);
    // All who were shown a receipt find their ballot, unchanged; nothing else is there.
    expect(ballots.map(({ receipt, choices, votes }) => [receipt, choices, votes])).toEqual(
      [...written].map(([receipt, { choices, votes }]) => [receipt, choices, votes]).toSorted(([a], [b]) => (a! < b! ? -1 : 1)),
    );
    const voted = await db.read.rows<{ accountName: string }>(
      sql`select account_name from election_vote where election_id = ${Number(electionId)} and generation = 2 order by 1`,
    );
    expect(voted.map(({ accountName }) => accountName)).toEqual([...written.values()].map(({ accountName }) => accountName).toSorted());
    // An account has a ballot or a proxy, never both and never neither.
    expect(voted.filter(({ accountName }) => proxied.has(accountName))).toEqual([]);
    expect(voted.length + proxied.size).toBe(handed.length);
    expect([...refused]).toEqual(proxied.size === 0 ? [] : [[403, proxied.size]]);
    const counted = execFileSync(process.execPath, ['--input-type=module', '-e', tallyScript], {
      input: ballotsFile(ballots),
      encoding: 'utf8',
    });
    const independent = names.map((_, index) =>
      [...written.values()].filter(({ choices }) => choices.includes(index + 1)).reduce((sum, { votes }) => sum + votes, 0),
    );
    expect(counted).toBe(
      `ballots ${written.size}\n${independent.map((votes, index) => (votes > 0 ? `option ${index + 1}: ${votes}\n` : '')).join('')}`,
    );
    if (file) {
      const [{ members }] = (await db.read.rows<{ members: number }>(
        sql`select count(*)::int as members from election_roll where election_id = ${Number(electionId)}`,
      )) as [{ members: number }];
      process.stderr.write(
        `members ${members}, ballots ${written.size}, proxies ${proxied.size}, voided by the reset ${voided}, kills ${killed}, ${Math.round(handed.length / seconds)} ballots/s, each sent to two programs, over ${atOnce} connections\n`,
      );
    }
  });
});
