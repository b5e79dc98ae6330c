import Fastify from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectedAuthority, provisioningType, publicationType } from '../../../../test/connected-authority.ts';
import { type TestPortal, testPortal } from '../../../../test/portal.ts';
import { costOf } from '../../../../test/thread-costs.ts';
import { TaskRefused } from '../../../platform/bounded-thread.ts';
import { publishAll } from '../repository/publisher.ts';
import { periodicHandler } from '../../../platform/periodic-work.ts';
import { answersOf, childRoutes, forgetAnswers } from './child-routes.ts';

let portal: TestPortal;
let authority: Awaited<ReturnType<typeof connectedAuthority>>;
beforeAll(async () => {
  portal = await testPortal('postgres');
  authority = await connectedAuthority(portal);
});
afterAll(() => portal[Symbol.asyncDispose]());

const LARGEST = 8_388_608;
/** Processor time in ms for moving 8 MB into and out of the database, with a margin: each takes about 150 on a busy machine. */
const MOVED = 600;

describe('the endpoint for messages of members’ own authorities', () => {
  test('a message beyond the largest is refused before it is read', async () => {
    const { send, service, provisioning } = authority;
    for (const [type, url, most, words] of [
      [publicationType, service, LARGEST, '8.4 MB'],
      [provisioningType, provisioning, 65_536, '66 KB'],
    ] as const) {
      const { statusCode, body } = await send(type, url, Buffer.alloc(most + 1));
      expect([statusCode, body]).toEqual([413, expect.stringContaining(`The request is larger than ${words}`)]);
    }
  });

  test.each([
    ['waits behind too many others of its authority', 'busy', [503, 'Earlier messages are being read. Try again later.\n', '30']],
    ['takes longer than the limit', 'time', [400, 'Reading the message takes too long. Send fewer changes at a time.\n', undefined]],
    ['takes more memory than the limit', 'ended', [400, 'Reading the message takes too long. Send fewer changes at a time.\n', undefined]],
  ] as const)('a message that %s is refused with what to do', async (_what, reason, refusal) => {
    await using http = Fastify();
    childRoutes(http, portal.context, () => Promise.reject(new TaskRefused(reason, 'It was refused')));
    const { statusCode, body, headers } = await http.inject({
      method: 'POST',
      url: authority.service,
      headers: { 'content-type': publicationType },
      payload: Buffer.from('30'),
    });
    expect([statusCode, body, headers['retry-after']]).toEqual(refusal);
  });

  test('a message of another content type is refused with the right one', async () => {
    const { send, service, provisioning } = authority;
    for (const [type, url] of [
      [publicationType, service],
      [provisioningType, provisioning],
    ] as const) {
      const { statusCode, body } = await send('application/json', url, Buffer.from('{}'));
      expect([statusCode, body]).toEqual([415, `A message of this protocol has the content type ${type}.\n`]);
    }
  });

  test('a message that found the queue full can be resent unchanged', async () => {
    const { send, arrive, service, read, child } = authority;
    const message = child.message(child.listPublished);
    const { rows } = await sql<{ messageId: number }>`insert into rpki_message (child_id, protocol, content, received_at)
      select child_id, 'publication', 'waits', now() from rpki_child cross join generate_series(1, 3) where handle = ${service.slice(-24)}
      returning message_id`.execute(portal.db.unrecorded);
    expect(rows).toHaveLength(3);
    expect((await send(publicationType, service, message)).statusCode).toBe(503);
    await sql`delete from rpki_message where content = 'waits'`.execute(portal.db.unrecorded);
    const { answer } = await arrive(publicationType, service, message);
    await publishAll(portal.context);
    expect(read((await answer).rawPayload)).toContain('type="reply"');
    expect((await send(publicationType, service, message)).statusCode).toBe(400);
  });

  test('a message whose answer took too long gets it, once, when it is resent unchanged', async () => {
    const { arrive, send, service, child } = authority;
    const message = child.message(child.listPublished);
    const { answer } = await arrive(publicationType, service, message);
    await publishAll(portal.context);
    await answer;
    await sql`insert into rpki_message (child_id, protocol, content, received_at, answer)
      select child_id, 'publication', ${child.listPublished}, now(), ${Buffer.from('late')} from rpki_child where handle = ${service.slice(-24)}`.execute(
      portal.db.unrecorded,
    );
    const late = await send(publicationType, service, message);
    expect([late.statusCode, late.body]).toEqual([200, 'late']);
    expect((await send(publicationType, service, message)).statusCode).toBe(400);
  });

  test('an answer that nothing fetched is kept for an hour by the clock, also when nothing is published', async () => {
    await sql`insert into rpki_message (child_id, protocol, content, received_at, answer)
      select child_id, 'publication', content, now() - age, 'answer' from rpki_child,
        (values ('old', interval '61 minutes'), ('new', interval '59 minutes')) as m (content, age) where handle = ${authority.service.slice(-24)}`.execute(
      portal.db.unrecorded,
    );
    await periodicHandler(portal.context, forgetAnswers)();
    const left = await portal.db.read.rows<{ content: string }>(sql`select content from rpki_message where content in ('old', 'new')`);
    expect(left.map(({ content }) => content)).toEqual(['new']);
    await sql`delete from rpki_message where content = 'new'`.execute(portal.db.unrecorded);
  });

  test('everyone who waits for one message gets its answer', async () => {
    const { rows } = await sql<{ messageId: number }>`insert into rpki_message (child_id, protocol, content, received_at)
      select child_id, 'publication', 'twice', now() from rpki_child where handle = ${authority.service.slice(-24)} returning message_id`.execute(
      portal.db.unrecorded,
    );
    const answers = answersOf(portal.db);
    const messageId = Number(rows[0]!.messageId);
    const both = [answers.wait(messageId), answers.wait(messageId)];
    await sql`update rpki_message set answer = ${Buffer.from('once')} where message_id = ${messageId}`.execute(portal.db.unrecorded);
    await sql`select pg_notify('rpki_answer', '')`.execute(portal.db.unrecorded);
    expect((await Promise.all(both)).map(String)).toEqual(['once', 'once']);
    await answers.close();
  });

  test('a signed message with a character that the database can’t keep is refused', async () => {
    const { send, service, child } = authority;
    const { statusCode, body } = await send(publicationType, service, child.message('<msg>\0</msg>'));
    expect([statusCode, body]).toEqual([400, 'The message has a NUL character, which XML may not have.\n']);
  });

  const query = (content: string): string =>
    `<msg xmlns="http://www.hactrn.net/uris/rpki/publication-spec/" version="4" type="query">${content}</msg>`;
  test.each([
    ['blanks in an element', () => query(`<a${' '.repeat(8_000_000)}<></a>`), 'not well-formed'],
    ['elements of one letter', () => query('<a/>'.repeat(2_000_000)), 'more than 20000 elements'],
    [
      'one file',
      () => query(`<publish tag="a" uri="${authority.base}a.roa">${'A'.repeat(8_000_000)}</publish>`),
      'more than 4000000 bytes',
    ],
    [
      'files that lie elsewhere',
      () => query(`<publish tag="a" uri="rsync://elsewhere.example/${'a/'.repeat(400)}b.roa">AA==</publish>`.repeat(9_000)),
      'Only files of the RPKI below',
    ],
  ])('a signed message of 8 MB of %s is refused with the reason, and costs the main thread little more', async (_what, made, words) => {
    const { arrive, service, read, child } = authority;
    const message = child.message(made());
    const door = await costOf(() => arrive(publicationType, service, message));
    const publisher = await costOf(() => publishAll(portal.context));
    expect(read((await door.answer.answer).rawPayload)).toContain(words);
    expect(Math.max(door.cpu, publisher.cpu)).toBeLessThan(MOVED);
  });
});
