import { SECOND_MS } from '@portal/contract/days';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { percentile } from '../figures/bench.ts';

/** A question of a stranger: an address of the portal, or a line for port 43. */
export type PublicQuestion = { kind: string; path: string } | { kind: string; line: string };
/** Results of the questions of a kind: durations in ms, from the moment at which each was due. */
export type PublicLoad = { kind: string; asked: number; p50: number; p95: number; failures: number };

/**
 * Asks the questions of a file so many times a second, from a process of its own: each at its moment, whether earlier ones are answered or not, and each from another
 * address of 50,000, as a proxy in front names them. Prints what came of it as JSON.
 */
async function ask(): Promise<void> {
  const { QUESTIONS = '', ADDRESS = '', WHOIS_PORT, PER_SECOND, SECONDS } = process.env;
  const questions = JSON.parse(readFileSync(QUESTIONS, 'utf8')) as PublicQuestion[];
  const took = new Map<string, number[]>();
  const failures = new Map<string, number>();
  const total = Number(PER_SECOND) * Number(SECONDS);
  const began = performance.now();
  const waiting: Promise<void>[] = [];
  for (let number = 0; number < total; number++) {
    const due = began + (number * SECOND_MS) / Number(PER_SECOND);
    const wait = due - performance.now();
    if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait));
    const question = questions[number % questions.length]!;
    const from = `198.51.${(number >> 8) % 200}.${number % 250}`;
    const answer = 'path' in question ? byHttp(`${ADDRESS}${question.path}`, from) : byPort43(Number(WHOIS_PORT), question.line, from);
    waiting.push(
      answer.then(isRight => {
        took.set(question.kind, [...(took.get(question.kind) ?? []), performance.now() - due]);
        if (!isRight) failures.set(question.kind, (failures.get(question.kind) ?? 0) + 1);
      }),
    );
  }
  await Promise.all(waiting);
  const figures = (kind: string, durations: readonly number[]): PublicLoad => ({
    kind,
    asked: durations.length,
    p50: percentile(durations, 0.5),
    p95: percentile(durations, 0.95),
    failures: kind === 'all' ? [...failures.values()].reduce((sum, each) => sum + each, 0) : (failures.get(kind) ?? 0),
  });
  console.log(
    JSON.stringify([figures('all', [...took.values()].flat()), ...[...took].map(([kind, durations]) => figures(kind, durations))]),
  );
}

const byHttp = (url: string, from: string): Promise<boolean> =>
  fetch(url, { headers: { 'x-forwarded-for': from }, redirect: 'manual' }).then(
    async answer => {
      await answer.arrayBuffer();
      return answer.status < 400;
    },
    () => false,
  );

const byPort43 = async (port: number, line: string, from: string): Promise<boolean> => {
  const socket = net.connect({ port, host: '127.0.0.1' });
  socket.end(`-V load,${from} ${line}\r\n`);
  return text(socket).then(
    answer => answer.includes('% This query was served'),
    () => false,
  );
};

if (import.meta.main) await ask();
