import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { HOUR_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { publisherServer } from '../../apps/server/src/modules/rpki/repository/publisher.ts';
import { readingFrom } from '../../apps/server/src/platform/module.ts';
import { connectedAuthority, publicationType } from '../../apps/server/test/connected-authority.ts';
import { kinds, type TestPortal, testPortal } from '../../apps/server/test/portal.ts';
import { type Bench, type Figure, milliseconds, percentile } from './figures/bench.ts';
import { watchTurns } from './programs/turns.ts';

const FILES = Number(process.env.BENCH_CHILD_FILES ?? 20_000);
const REVOKED = Number(process.env.BENCH_CHILD_REVOKED ?? 60_000);
const ROUNDS = Number(process.env.BENCH_CHILD_ROUNDS ?? 5);
/** Files in one message of the first publication: programs send as many as fit into the largest message. */
const IN_A_MESSAGE = 2_500;
const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

/** A moment of a publication, in ms since its message was sent; of its turns, the longest by processor time and by the clock, and the processor time of all. */
type Phases = {
  kept: number;
  answered: number;
  served: number;
  judged: number;
  longestTurn: number;
  longestByClock: number;
  waited: number | null;
  computed: number;
};

/** Sends a message as a publication client does, and returns the answer. @throws Error for any other than success */
const post = ({ port, service, payload }: { port: number; service: string; payload: Buffer }): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { host: 'portal.test', 'content-type': publicationType, 'content-length': payload.length };
    const request = http.request({ port, host: '127.0.0.1', method: 'POST', path: service, headers }, answer => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () => {
        const body = Buffer.concat(pieces).toString('latin1');
        if (answer.statusCode === 200 && body.includes('<success/>')) resolve(body);
        else reject(new Error(`The message was answered ${answer.statusCode}: ${body.slice(0, 2_000)}`));
      });
    });
    request.on('error', reject);
    request.end(payload);
  });

/** Returns how to ask how far the publication is. */
const stateOf = (portal: TestPortal) => ({
  serialNow: (): number =>
    Number(/ serial="(\d+)">/.exec(readFileSync(path.join(portal.config.rpkiDir, 'rrdp/notification.xml'), 'latin1'))?.[1]),
  isJudged: async (): Promise<boolean> => {
    const [row] = await portal.db.read.rows<{ judged: boolean }>(
      sql`select bool_and(changes = judged_changes) as judged from rpki_child_judgement`,
    );
    return row?.judged === true;
  },
  vrps: async (): Promise<number> => {
    const [row] = await portal.db.read.rows<{ count: number }>(sql`select count(*)::int as count from rpki_child_vrp`);
    return row!.count;
  },
});

type Authority = Awaited<ReturnType<typeof connectedAuthority>>['child'];
type Sending = { send: (payload: Buffer) => Promise<string>; state: ReturnType<typeof stateOf> };

/** Publishes everything for the first time, and waits until it is judged. @returns the time of all, and of each message, in ms */
async function publishFirst(
  { child, send, state }: Sending & { child: Authority },
  first: readonly [string, Uint8Array][],
  lists: Map<string, Uint8Array>,
): Promise<{ firstTook: number; messages: number[] }> {
  const firstBegan = performance.now();
  const messages: number[] = [];
  for (let at = 0; at < first.length; at += IN_A_MESSAGE) {
    const message = child.message(child.publish(new Map(first.slice(at, at + IN_A_MESSAGE))));
    const began = performance.now();
    await send(message);
    messages.push(performance.now() - began);
  }
  const began = performance.now();
  await send(child.message(child.publish(lists)));
  messages.push(performance.now() - began);
  while (!(await state.isJudged())) await pause(20);
  return { firstTook: performance.now() - firstBegan, messages };
}

/** Publishes one file more, and returns when each phase was over. */
async function publishOne({ portal, send, state }: Sending & { portal: TestPortal }, message: Buffer): Promise<Phases> {
  const before = state.serialNow();
  const kept = Promise.withResolvers<number>();
  const stop = await portal.db.listen('rpki', () => kept.resolve(performance.now()));
  const turns = watchTurns();
  const cpu = process.threadCpuUsage();
  const sent = performance.now();
  const answered = send(message).then(() => performance.now());
  const served = (async () => {
    while (state.serialNow() === before) await pause(5);
    return performance.now();
  })();
  await Promise.all([answered, served]);
  while (!(await state.isJudged())) await pause(5);
  const judged = performance.now();
  const { user, system } = process.threadCpuUsage(cpu);
  const { computed, longest, waited } = turns();
  await stop();
  return {
    kept: (await kept.promise) - sent,
    answered: (await answered) - sent,
    served: (await served) - sent,
    judged: judged - sent,
    longestTurn: computed,
    longestByClock: longest,
    waited,
    computed: (user + system) / 1000,
  };
}

/** The figures of all rounds: their medians. */
function figuresOf(rounds: readonly Phases[], { firstTook, messages }: { firstTook: number; messages: readonly number[] }): Figure[] {
  const middle = (of: (phases: Phases) => number): number => percentile(rounds.map(of), 0.5);
  const all = middle(({ served, judged }) => Math.max(served, judged));
  const turn = middle(({ longestTurn }) => longestTurn);
  return [
    {
      what: 'one file more, with its manifest and CRL: sent, served and judged, median',
      value: `${seconds(all)}: kept after ${milliseconds(middle(({ kept }) => kept))}, answered after ${milliseconds(middle(({ answered }) => answered))}, in RRDP after ${milliseconds(middle(({ served }) => served))}, its ROAs count after ${milliseconds(middle(({ judged }) => judged))}`,
      budget: '1 s',
      held: all <= 1_000,
    },
    {
      what: 'longest turn of the event loop meanwhile, median',
      value: `${milliseconds(turn)} of processor time, ${milliseconds(middle(({ longestByClock }) => longestByClock))} by the clock, of which it waited for a processor ${milliseconds(middle(({ waited }) => waited ?? 0))} at most`,
      budget: '100 ms',
      held: turn <= 100,
    },
    {
      what: `first publication, in ${messages.length} messages`,
      value: `${seconds(firstTook)}, its messages ${messages.map(ms => seconds(ms)).join(', ')}`,
    },
  ];
}

/** A member's own authority with very many files publishes one more, through the door of RFC 8181: web server and publisher are this process. */
export const bench: Bench = {
  about: `a member's own authority with ${FILES.toLocaleString('en')} files and ${REVOKED.toLocaleString('en')} revoked certificates; BENCH_CHILD_FILES, BENCH_CHILD_REVOKED and BENCH_CHILD_ROUNDS change that`,
  run: async () => {
    await using portal = await testPortal(kinds.at(-1)!);
    const { child, service } = await connectedAuthority(portal);
    await portal.http.listen({ port: 0, host: '127.0.0.1' });
    const { port } = portal.http.server.address() as AddressInfo;
    const send = (payload: Buffer): Promise<string> => post({ port, service, payload });
    const state = stateOf(portal);
    // ROAs of an AS number each, a manifest and a CRL over all of them.
    const roaOf = (index: number) => ({
      prefix: `198.18.${index % 32}.0/24`,
      asn: 64_500 + Math.floor(index / 32),
      maxLength: 24,
      name: `roa-${index}`,
    });
    const total = FILES - 2;
    const made = child.roas(Array.from({ length: total }, (_, index) => roaOf(index)));
    const revoked = Array.from({ length: REVOKED }, (_, index) => ({
      serial: (1n << 150n) + 7919n * BigInt(index),
      revokedAt: new Date(Date.now() - HOUR_MS - index * 1000),
    }));
    const uris = [...made.keys()];
    const published = new Map([...made].slice(0, total - ROUNDS));
    const later = uris.slice(total - ROUNDS);
    const listing = (): Map<string, Uint8Array> =>
      child.listing(
        [...published].map(([uri, bytes]) => ({ uri, bytes })),
        revoked,
      );

    const publisher = await publisherServer.open(readingFrom('primary', portal.context));
    try {
      let lists = listing();
      const { firstTook, messages } = await publishFirst({ child, send, state }, [...published], lists);
      if ((await state.vrps()) !== published.size)
        throw new Error(`${await state.vrps()} ROA payloads were derived from ${published.size} ROAs.`);

      const rounds: Phases[] = [];
      for (const uri of later) {
        // The publisher is at rest, as it is between two changes of an authority.
        await pause(1_000);
        published.set(uri, made.get(uri)!);
        revoked.push({ serial: (1n << 151n) + BigInt(revoked.length), revokedAt: new Date() });
        const next = listing();
        const message = child.message(child.publish(new Map([[uri, made.get(uri)!], ...next]), lists));
        lists = next;
        await pause(200);
        rounds.push(await publishOne({ portal, send, state }, message));
        if (process.env.BENCH_STAGES) console.error(rounds.at(-1));
        if ((await state.vrps()) !== published.size)
          throw new Error(`${await state.vrps()} ROA payloads were derived from ${published.size} ROAs.`);
      }
      const figures = figuresOf(rounds, { firstTook, messages });
      return figures;
    } finally {
      await publisher.close();
    }
  },
};
