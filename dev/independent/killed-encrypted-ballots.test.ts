import http from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { api } from '@portal/contract/api';
import { DAY_MS, HOUR_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../apps/server/src/config.ts';
import { loadDemo } from '../../apps/server/src/demo/index.ts';
import { closeVoting } from '../../apps/server/src/modules/encrypted-ballots/counting.ts';
import { mintToken } from '../../apps/server/src/modules/identity/index.ts';
import { migrate, openDatabase } from '../../apps/server/src/platform/database/index.ts';
import { readProfile } from '../../apps/server/src/profile.ts';
import { canOwnPostgres, ownPostgres } from '../../apps/server/test/database/own-postgres.ts';
import { freePort } from '../../apps/server/test/database/throwaway-postgres.ts';
import { answers, archiveOf, decryptAs, openEncrypted, sendTrusteeMessage, verified } from '../../apps/server/test/encrypted-election.ts';
import { addVoters, countOf, type ReadyBallot, readyBallots, setVotes, testVoters } from '../../apps/server/test/many-voters.ts';
import { secondProcess } from '../../apps/server/test/portal.ts';
import { KillableProgram } from '../../apps/server/test/processes/killable-program.ts';
import { smallestWebBuild } from '../../apps/server/test/processes/smallest-web-build.ts';
import { seconded } from '../../apps/server/test/scrutineer.ts';
import { BeleniosFolder, beleniosIsInstalled } from './belenios.ts';

/** All 500 with `CASTS=500 KILLS=8`; otherwise a few, as starting programs and making ballots is what costs. */
const casts = Number(process.env['CASTS'] ?? 60);
const kills = Number(process.env['KILLS'] ?? 4);
const AT_ONCE = 6;
const host = 'portal.test';

/** Sends a ballot to the program; the status and the code of a refusal, or null where it is down or broke off in the middle. */
const send = (port: number, token: string, electionId: string, { account, ballot, rightKey }: ReadyBallot) =>
  new Promise<{ status: number; code: string } | null>(resolve => {
    const body = JSON.stringify({ ballot, rightKey });
    const headers = {
      host,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const request = http.request(
      { host: '127.0.0.1', port, path: `/api/${account}/elections/${electionId}/encrypted-ballot`, method: 'POST', headers, agent: false },
      answer => {
        let said = '';
        answer
          .setEncoding('utf8')
          .on('data', (chunk: string) => (said += chunk))
          .on('end', () => resolve({ status: answer.statusCode!, code: /"code":"(\w+)"/.exec(said)?.[1] ?? '' }))
          .on('error', () => resolve(null));
      },
    );
    request.on('error', () => resolve(null)).end(body);
  });

describe.runIf(canOwnPostgres())('a program and its database that are killed while encrypted ballots are cast', () => {
  test('each voter has one ballot in the archive, which both verifiers accept, and the sums are those of the choices', {
    timeout: HOUR_MS,
  }, async () => {
    await using server = await ownPostgres();
    const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-killed-votes-'));
    const environment = { NODE_ENV: 'test', APP_URL: `http://${host}`, DATABASE_URL: server.url, DATA_DIR: folder, LOG_LEVEL: 'silent' };
    const config = readConfig(environment);
    const loading = await openDatabase({ url: server.url });
    try {
      await migrate(loading);
      await loadDemo(loading, { config, profile: readProfile(''), today: new Date(), store: null });
    } finally {
      await loading.close();
    }
    const voters = testVoters(casts, number => [1, 2, 4, 8, 64][number % 5]!);
    const { open, ready } = await (async () => {
      await using portal = Object.assign(await secondProcess(server.url), { url: server.url });
      await addVoters(portal.db, voters);
      const opened = await openEncrypted(portal, { onRoll: electionId => setVotes(portal.db, electionId, voters) });
      const [row] = await portal.db.read.rows<{ parameters: string }>(
        sql`select parameters from encrypted_ballot where election_id = ${Number(opened.electionId)}`,
      );
      return { open: opened, ready: await readyBallots(row!.parameters, opened.credentials, voters) };
    })();
    const { electionId } = open;

    const program = new KillableProgram(await freePort(), { ...environment, ROLES: 'web', LOG_LEVEL: 'error' }, await smallestWebBuild());
    await program.start();
    const freshToken = async (): Promise<string> => {
      const db = await openDatabase({ url: server.url });
      try {
        return await mintToken(db, config, 'corin', { mfa: true, clock: () => new Date() });
      } finally {
        await db.close();
      }
    };
    let token = await freshToken();
    const acknowledged: string[] = [];
    const unexpected: string[] = [];
    let retried = 0;
    let killed = 0;
    let down: Promise<void> = Promise.resolve();
    /** Kills the program and the database in turn, and both together. */
    const killNext = async (): Promise<void> => {
      const which = killed % 3;
      if (which !== 0) await server.crash();
      if (which !== 1) await program.kill();
      if (which !== 0) await server.start();
      if (which !== 1) await program.start();
    };
    /** Casts a ballot, the same one again until it is answered. */
    const castOne = async (each: ReadyBallot): Promise<void> => {
      for (;;) {
        const answer = await send(program.port, token, electionId, each);
        if (answer?.status === 200) return void acknowledged.push(each.tracker);
        if (answer?.status === 401) token = await freshToken();
        else if (answer !== null && answer.status < 500 && answer.status !== 429)
          return void unexpected.push(`${each.account}: ${answer.status} ${answer.code}`);
        retried += 1;
        await down;
        await new Promise(resolve => setImmediate(resolve));
      }
    };
    const rest = [...ready];
    const started = performance.now();
    const worker = async (): Promise<void> => {
      for (let next = rest.pop(); next; next = rest.pop()) {
        await castOne(next);
        if (killed < Math.min(kills, Math.floor((acknowledged.length * (kills + 1)) / casts))) {
          // Others cast while it goes down.
          down = down.then(killNext);
          killed += 1;
        }
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      await down;
    } finally {
      await program.kill();
    }
    const seconds = (performance.now() - started) / 1000;
    expect(unexpected).toEqual([]);
    expect(killed).toBe(kills);

    await using portal = Object.assign(await secondProcess(server.url), { url: server.url });
    const count = async (query: ReturnType<typeof sql<{ count: number }>>) =>
      (await portal.db.read.rows<{ count: number }>(query))[0]!.count;
    const id = Number(electionId);
    expect(await count(sql`select count(*)::int as count from election_vote where election_id = ${id}`)).toBe(casts);
    const voting = await verified(await archiveOf(portal, electionId));
    expect(voting.ballots.map(({ tracker }) => tracker).toSorted()).toEqual(ready.map(({ tracker }) => tracker).toSorted());
    expect(acknowledged.toSorted()).toEqual(ready.map(({ tracker }) => tracker).toSorted());

    await closeVoting(portal.db, new Date(Date.now() + 2 * DAY_MS));
    const dora = await portal.as('dora');
    const { readableVotes } = (await dora(api.encryptedBallotSetup.getEncryptedBallot, { electionId })).data!;
    const starting = await dora(api.encryptedBallotSetup.startCount, {
      electionId,
      body: { readableVotes: readableVotes!.map(({ votes }) => votes) },
    });
    expect((await seconded(portal, starting)).errors).toBe(undefined);
    for (const name of ['hana', 'olive'] as const)
      expect(
        (await sendTrusteeMessage(portal, name, { electionId, step: 'decryption', message: await decryptAs(portal, open, name) })).errors,
      ).toBe(undefined);
    const archive = await archiveOf(portal, electionId);
    expect(await verified(archive)).toMatchObject({ stage: 'Result', result: [countOf(voters, answers.length)] });
    if (beleniosIsInstalled) {
      using tool = new BeleniosFolder();
      expect(await tool.accepts(open.credentials.uuid, archive)).toBe(true);
    }
    rmSync(folder, { recursive: true, force: true });
    process.stderr.write(
      `${casts} ballots, ${killed} kills, ${retried} sent again, in ${Math.round(seconds)} s${beleniosIsInstalled ? ', accepted by belenios-tool' : ''}\n`,
    );
  });
});
