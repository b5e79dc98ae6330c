import { HOUR_MS, instantBefore, MINUTE_MS } from '@portal/contract/days';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '../../../platform/database/index.ts';
import type { ModuleContext, PeriodicWork } from '../../../platform/module.ts';
import { TaskRefused } from '../../../platform/bounded-thread.ts';
import { readArrived, tooMuch } from './child-reading.ts';
import type { CheckedMessage, Protocol } from './child-queries.ts';
import { type Child, findChildByHandle } from './children.ts';

type ChildService = { protocol: Protocol; type: string; largest: number };
const services: readonly ChildService[] = [
  { protocol: 'provisioning', type: 'application/rpki-updown', largest: 65_536 },
  { protocol: 'publication', type: 'application/rpki-publication', largest: 8_388_608 },
];
/** Maximum number of waiting messages of one authority. */
const MAX_WAITING = 3;
/** How long a caller waits for the publisher's answer before it is asked to retry. */
const PATIENCE_MS = MINUTE_MS / 3;
/** Interval, in ms, for polling for an answer in addition to notifications. */
const LOOK_EVERY_MS = 2_000;

/** Where self-hosted authorities send their messages. */
export const serviceUri = (appUrl: string, protocol: Protocol, handle: string): string => `${appUrl}/rpki/${protocol}/${handle}`;

/**
 * `/rpki/provisioning/…` and `/rpki/publication/…`: members' own authorities ask for certificates (RFC 6492) and publish (RFC 8181). The signature of
 * a message is checked here, in a thread with limits; then it waits for the publisher, the only one with keys to act on it and sign the answer.
 * @param readIn reads it within the limits
 */
export function childRoutes(http: FastifyInstance, { db, clock }: Pick<ModuleContext, 'db' | 'clock'>, readIn = readArrived): void {
  const answers = answersOf(db);
  http.addHook('onClose', () => answers.close());
  for (const { protocol, type, largest } of services)
    void http.register((scope, _options, done) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
      scope.setErrorHandler((error: Error & { code?: string }, _request, reply) => {
        if (error.code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE') throw error;
        return say(reply, 415, `A message of this protocol has the content type ${type}.`);
      });
      scope.post<{ Params: { handle: string } }>(`/rpki/${protocol}/:handle`, { bodyLimit: largest }, async (request, reply) => {
        const { handle } = request.params;
        const child = /^[0-9a-f]{24}$/.test(handle) ? await findChildByHandle(db.read, handle) : null;
        const identity = protocol === 'provisioning' ? child?.identity : child?.publisherIdentity;
        if (!child || !identity) return say(reply, 404, 'No certificate authority is known at this address.');
        if (!(request.body instanceof Buffer)) return say(reply, 400, `The message is empty. Send it as ${type}.`);
        const now = clock();
        let checked: CheckedMessage;
        try {
          const { childHandle } = child;
          checked = await readIn(handle, { protocol, bytes: request.body, identity, childHandle, now: now.getTime() });
        } catch (error) {
          if (!(error instanceof TaskRefused)) throw error;
          if (error.reason === 'busy')
            return say(reply.header('retry-after', '30'), 503, 'Earlier messages are being read. Try again later.');
          return say(reply, 400, `${tooMuch}.`);
        }
        if ('problem' in checked) return say(reply, 400, `${checked.problem}.`);
        const { content, digest } = checked;
        const signedAt = new Date(checked.signedAt);
        const kept = await keepMessage(db, { child, protocol, signedAt, digest, content, now });
        if (kept === 'too many')
          return say(reply.header('retry-after', '30'), 503, 'Earlier messages wait for their answer. Try again later.');
        if (kept === 'known') return say(reply, 400, 'The message was sent before, or was signed before the last one.');
        const answer = await answers.wait(kept);
        if (!answer) return say(reply.header('retry-after', '30'), 503, 'The answer takes longer than usual. Try again later.');
        return reply.type(type).send(answer);
      });
      done();
    });
}

const say = (reply: FastifyReply, status: number, sentence: string): FastifyReply =>
  reply.code(status).type('text/plain; charset=utf-8').send(`${sentence}\n`);

type Arrival = { child: Child; protocol: Protocol; signedAt: Date; digest: string; content: string; now: Date };

/**
 * Stores a message once and notifies the publisher, if it was signed no earlier than the authority's last one and isn't identical to it (RFC 6492,
 * section 3.1.2). A message that isn't stored can be resent unchanged; so can one whose answer is pending, which is then awaited again. Returns its
 * number, `too many` if the queue is full, or `known` if it was answered or is older than the last.
 */
async function keepMessage(
  db: Database,
  { child, protocol, signedAt, digest, content, now }: Arrival,
): Promise<number | 'too many' | 'known'> {
  const own = sql`child_id = ${child.childId} and protocol = ${protocol}`;
  const { rows } = await sql<{ isFree: boolean; messageId: number | null }>`
    with room as (select count(*) < ${MAX_WAITING} as is_free from rpki_message where ${own} and answer is null),
    contact as (insert into rpki_child_contact (child_id, protocol, last_signed_at, last_digest, last_at)
      select ${child.childId}, ${protocol}, ${signedAt.toISOString()}::timestamptz, ${digest}, ${now.toISOString()}::timestamptz from room where is_free
      on conflict (child_id, protocol) do update set last_signed_at = excluded.last_signed_at, last_digest = excluded.last_digest, last_at = excluded.last_at
        where rpki_child_contact.last_signed_at < excluded.last_signed_at
          or (rpki_child_contact.last_signed_at = excluded.last_signed_at and rpki_child_contact.last_digest <> excluded.last_digest)
      returning child_id),
    kept as (insert into rpki_message (child_id, protocol, content, received_at)
      select child_id, ${protocol}, ${content}, ${now.toISOString()}::timestamptz from contact returning message_id)
    select is_free, (select message_id from kept) as message_id from room`.execute(db.unrecorded);
  const { isFree, messageId } = rows[0]!;
  if (messageId !== null) {
    await sql`select pg_notify('rpki', '')`.execute(db.unrecorded);
    return Number(messageId);
  }
  const { rows: sent } = await sql<{ messageId: number | null }>`select (select max(message_id) from rpki_message
      where ${own} and content = ${content}) as message_id
    from rpki_child_contact where ${own} and last_digest = ${digest}`.execute(db.unrecorded);
  if (sent[0]) return sent[0].messageId === null ? 'known' : Number(sent[0].messageId);
  return isFree ? 'known' : 'too many';
}

/** How long, in ms, a message and its answer are kept for a sender who waits: it gave up long before, or sends the message again unchanged. */
const KEPT_MS = HOUR_MS;

/** Deletes messages of members' authorities whose answer nothing fetched, by the clock: also when no authority publishes any more. */
export const forgetAnswers: PeriodicWork = {
  name: 'rpki.forgetAnswers',
  every: 60,
  run: async ({ db, clock }) => {
    await sql`delete from rpki_message where received_at < ${instantBefore(clock(), KEPT_MS)}::timestamptz`.execute(db.unrecorded);
  },
};

/** Waits for answers of the publisher, in this process or another. */
export function answersOf(db: Database) {
  const waiting = new Set<() => void>();
  const asked = new Map<number, Promise<Buffer | null>>();
  let listening: Promise<() => Promise<void>> | null = null;
  const take = async (messageId: number): Promise<Buffer | null> => {
    const { rows } = await sql<{
      answer: Buffer;
    }>`delete from rpki_message where message_id = ${messageId} and answer is not null returning answer`.execute(db.unrecorded);
    return rows[0] ? Buffer.from(rows[0].answer) : null;
  };
  return {
    /** Waits for the answer of a message, for all its senders. */
    wait: (messageId: number): Promise<Buffer | null> => {
      const known = asked.get(messageId);
      if (known) return known;
      const answer = find(messageId).finally(() => asked.delete(messageId));
      asked.set(messageId, answer);
      return answer;
    },
    close: async (): Promise<void> => {
      if (listening) await (await listening)();
    },
  };

  async function find(messageId: number): Promise<Buffer | null> {
    listening ??= db.listen('rpki_answer', () => {
      for (const wake of waiting) wake();
    });
    await listening;
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      const answer = await take(messageId);
      if (answer || performance.now() >= until) return answer;
      await new Promise<void>(resolve => {
        const timer = setTimeout(wake, LOOK_EVERY_MS);
        function wake(): void {
          clearTimeout(timer);
          waiting.delete(wake);
          resolve();
        }
        waiting.add(wake);
      });
    }
  }
}
