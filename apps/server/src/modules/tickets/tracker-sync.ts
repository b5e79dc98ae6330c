import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { DAY_MS, instantAfter, instantBefore, MINUTE_MS } from '@portal/contract/days';
import { fileKinds } from '@portal/contract/file-kinds';
import { sql } from 'kysely';
import { type Change, type Database, type JsonValue, ownActivity } from '../../platform/database/index.ts';
import { isSilence } from '../../platform/circuit-breaker.ts';
import { isOutage, notedThough, type RowFailure, RowsFailed, stepsAlone } from '../../platform/each-alone.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { attachmentsOf, type FileStore, fileStorage } from '../documents/index.ts';
import { senderAt } from '../identity/index.ts';
import { textOfMail } from './mail-text.ts';
import { notifyAboutTicket, ticketPath } from './ticket-notices.ts';
import { addMessage, fileReference, isOpen, lockTicket, moveTicket, readTicketRow } from './ticket-row.ts';
import { type Tracker, type TrackerFile, type TrackerMessage, type TrackerTicket, tracker as trackerSystem } from './tracker.ts';
import { ticketsTexts } from './mail-texts.ts';

/** Changes are read again from this long before the newest known one, because clocks differ and Request Tracker records only seconds. */
const OVERLAP_MS = 5 * MINUTE_MS;
/** Maximum number of tickets passed on in one run. */
const AT_A_TIME = 100;

type Tools = { db: Database; tracker: Tracker; store: FileStore; appUrl: string; now: Date };

/**
 * Synchronises the portal and Request Tracker: passes on messages written here, and imports answers and states from there. Does nothing without RT_URL.
 * Messages that can’t be passed on are retried in the next run, and hold up neither others nor what comes from there. @returns the time up to which changes there are known
 * @throws {RowsFailed} naming tickets that failed, also when Request Tracker doesn't answer
 */
export async function workWithTracker({ db, config, outside, clock }: ModuleContext, noted: JsonValue | null): Promise<JsonValue | void> {
  const tracker = outside(trackerSystem);
  if (tracker === null) return;
  const tools = { db, tracker, store: outside(fileStorage), appUrl: config.appUrl, now: clock() };
  const known = (noted as { until?: string } | null)?.until ?? instantBefore(tools.now, DAY_MS);
  let until = known;
  const steps = {
    passOn: () => passOn(tools),
    takeIn: async () => {
      until = await takeIn(tools, known);
    },
  };
  return notedThough(
    () => ({ until }),
    () => stepsAlone(steps),
  );
}

/** Passes on messages that wait, and states that changed here: what is new before what could not be passed on earlier, and of that each in its turn. @throws {RowsFailed} after the tickets that work were passed on */
async function passOn(tools: Tools): Promise<void> {
  const { db, now } = tools;
  const due = await db.read.rows<{ ticketId: string; isNew: boolean }>(sql`
    select t.ticket_id::text as ticket_id, coalesce(bool_or(m.passing_since is null), false) as is_new
    from ticket t left join ticket_tracking k using (ticket_id)
      left join ticket_message m on m.ticket_id = t.ticket_id and m.passed_on_at is null and m.kind <> 'event'
    where (m.ticket_id is not null or k.state <> t.state) and (k.ticket_id is not null or ${isOpen})
    group by t.ticket_id order by 2 desc, case when coalesce(bool_or(m.passing_since is null), false) then t.ticket_id end, random() limit ${AT_A_TIME}`);
  if (due.length === 0) return;
  // Recorded even if Request Tracker doesn't answer, so that readers see delays.
  const waiting = new Set(
    (
      await db.read.rows<{ id: string }>(sql`select ticket_message_id::text as id from ticket_message
    where passing_since is not null and passed_on_at is null`)
    ).map(({ id }) => id),
  );
  if (due.some(({ isNew }) => isNew))
    await db.change(ownActivity('tickets.passOn', 'Began to pass tickets on to Request Tracker'), async change => {
      await change.rows(sql`update ticket_message set passing_since = ${now.toISOString()}::timestamptz where passing_since is null and passed_on_at is null
        and kind <> 'event' and ticket_id = any (${due.map(({ ticketId }) => Number(ticketId))}::bigint[])`);
    });
  const failures: RowFailure[] = [];
  for (const { ticketId } of due)
    try {
      await passOnTicket(tools, ticketId, waiting);
    } catch (error) {
      if (isOutage(error)) throw error;
      failures.push({ row: `ticket ${ticketId}`, error });
      // It refuses one ticket, or doesn't answer at all.
      if (isSilence(error as Error)) break;
    }
  if (failures.length > 0) throw new RowsFailed(failures);
}

type Waiting = { messageId: string; kind: 'message' | 'comment'; by: string; author: string; content: string };

async function passOnTicket({ db, tracker, store, appUrl }: Tools, ticketId: string, begun: ReadonlySet<string>): Promise<void> {
  const row = await readTicketRow(db.read, ticketId);
  const messages =
    await db.read.rows<Waiting>(sql`select ticket_message_id::text as message_id, kind, by, author, content from ticket_message
    where ticket_id = ${Number(ticketId)} and passed_on_at is null and passing_since is not null and kind <> 'event' order by ticket_message_id`);
  const [known] = await db.read.rows<{ trackerId: number }>(
    sql`select tracker_id::int as tracker_id from ticket_tracking where ticket_id = ${Number(ticketId)}`,
  );
  let trackerId = known?.trackerId ?? null;
  const done = (what: (change: Change) => Promise<unknown>): Promise<void> =>
    db.change(ownActivity('tickets.passOn', 'Passed a ticket on to Request Tracker', row.accountName), async change => {
      await what(change);
    });
  for (const message of messages) {
    const { messageId, kind, by, author, content } = message;
    const mark = `[portal message ${messageId}]`;
    const whose =
      by === 'staff'
        ? ''
        : ` (${row.requestor === null || author !== row.requestorName ? 'member' : row.requestorEmail}${row.accountName ? `, ${row.accountName}` : ', not verified for an account'})`;
    const text = `${content}\n\n-- \n${author}${whose}, in the portal ${mark}`;
    const files = await filesOf(db, store, ticketId, messageId);
    if (trackerId === null) {
      const portalAddress = `${appUrl}${ticketPath(row.queue, ticketId)}`;
      const cc = await db.read.rows<{ email: string }>(
        sql`select email from ticket_cc where ticket_id = ${Number(ticketId)} order by email`,
      );
      const { queue, subject, requestorEmail: requestor } = row;
      trackerId =
        (begun.has(messageId) ? await tracker.find(portalAddress) : null) ??
        (await tracker.create({ queue, subject, requestor, cc: cc.map(({ email }) => email), portalAddress, text, files }));
      const made = trackerId;
      await done(async change => {
        await change
          .insertInto('ticketTracking')
          .values({ ticketId: Number(ticketId), trackerId: made, state: 'new' })
          .execute();
        await keepPassed(change, messageId);
      });
      continue;
    }
    if (!begun.has(messageId) || !(await tracker.has(trackerId, mark)))
      await tracker.write(trackerId, kind === 'comment' ? 'comment' : 'correspond', { text, files });
    await done(change => keepPassed(change, messageId));
  }
  if (trackerId === null) return;
  const there = await tracker.read(trackerId);
  const here = await readTicketRow(db.read, ticketId);
  if (there.state !== here.state) await tracker.setState(trackerId, here.state);
  await done(change => change.updateTable('ticketTracking').set({ state: here.state }).where('ticketId', '=', Number(ticketId)).execute());
}

const keepPassed = (change: Change, messageId: string): Promise<unknown> =>
  change.updateTable('ticketMessage').set({ passedOnAt: change.now }).where('ticketMessageId', '=', Number(messageId)).execute();

/** The files of a message that may be opened: not infected, and not still being scanned. */
async function filesOf({ read }: Database, store: FileStore, ticketId: string, messageId: string): Promise<TrackerFile[]> {
  const reference = fileReference(ticketId, messageId);
  const files: TrackerFile[] = [];
  for (const { fileName, kind, sha256, check } of (await attachmentsOf(read, [reference])).get(reference) ?? []) {
    if (check === 'being-checked') throw new Error('Request Tracker waits: a file is being checked for viruses');
    const content = check === 'infected' ? null : await store.read(sha256);
    if (content) files.push({ name: fileName, mediaType: fileKinds[kind].mediaType, content: await buffer(Readable.from(content)) });
  }
  return files;
}

/**
 * Imports changes there since an instant. @returns the instant of the newest change @throws {RowsFailed} after the others, naming tickets that can't be imported: they are read
 * again from the same instant
 */
async function takeIn({ db, tracker }: Tools, known: string): Promise<string> {
  let until = known;
  const failures: RowFailure[] = [];
  for (const there of await tracker.changedSince(instantAfter(known, -OVERLAP_MS))) {
    const [tracking] = await db.read.rows<{ ticketId: string; last: number; state: string }>(sql`
      select ticket_id::text as ticket_id, last_transaction::int as last, state from ticket_tracking where tracker_id = ${there.trackerId}`);
    const { messages, last } = await tracker.messagesAfter(there.trackerId, tracking?.last ?? 0);
    try {
      if (tracking && (messages.length > 0 || tracking.state !== there.state))
        await takeInTicket({ db, ticketId: tracking.ticketId, there, messages, last });
      if (!tracking && messages.length > 0) await openFromTracker(db, there, messages, last);
    } catch (error) {
      if (isOutage(error)) throw error;
      failures.push({ row: `ticket ${there.trackerId} of Request Tracker`, error });
    }
    if (there.updatedAt > until) until = there.updatedAt;
  }
  if (failures.length > 0) throw new RowsFailed(failures);
  return until;
}

const contentOf = ({ text, html, files }: TrackerMessage): string =>
  [textOfMail({ text, html }), ...files.map(name => `(With the file “${name}”, which the portal doesn’t show. Ask us to send it.)`)]
    .filter(Boolean)
    .join('\n\n') || '(no text)';

function takeInTicket({
  db,
  ticketId,
  there,
  messages,
  last,
}: {
  db: Database;
  ticketId: string;
  there: TrackerTicket;
  messages: readonly TrackerMessage[];
  last: number;
}): Promise<void> {
  return db.change(ownActivity('tickets.takeFromTracker', 'Took in an answer from Request Tracker'), async change => {
    let row = await lockTicket(change, ticketId);
    const [tracking] = await change.rows<{ last: number; state: string }>(
      sql`select last_transaction::int as last, state from ticket_tracking where ticket_id = ${Number(ticketId)} for no key update`,
    );
    if (row.accountName) await change.concerns(row.accountName);
    for (const message of messages.filter(({ transactionId }) => transactionId > tracking!.last)) {
      const isMember = there.requestors.includes(message.by) || there.cc.includes(message.by);
      const content = contentOf(message);
      const author = isMember ? message.by : 'Registry staff';
      const messageId = await addMessage(change, ticketId, {
        kind: 'message',
        by: isMember ? 'member' : 'staff',
        loginId: null,
        author,
        content,
        byMail: isMember,
      });
      await keepPassed(change, messageId);
      row = await moveTicket(change, row, isMember || there.state !== 'stalled' ? row.state : 'stalled', !isMember);
      await notifyAboutTicket(change, row, {
        except: null,
        exceptEmail: isMember ? message.by : '',
        text: isMember
          ? ticketsTexts.written('wrote', { writer: author, words: content })
          : ticketsTexts.written('trackerAnswered', { words: content }),
        act: 'Answer',
      });
    }
    // A state also changed here is passed on by the next run.
    if (there.state !== tracking!.state) row = await moveTicket(change, row, there.state);
    await change
      .updateTable('ticketTracking')
      .set({ lastTransaction: last, state: there.state })
      .where('ticketId', '=', Number(ticketId))
      .execute();
    await change.note({ ticket: ticketId, messages: messages.length, state: there.state });
  });
}

/** Imports a ticket started in Request Tracker, for example by e-mail, for the person with that verified address. Others stay there only. */
async function openFromTracker(db: Database, there: TrackerTicket, messages: readonly TrackerMessage[], last: number): Promise<void> {
  const [requestor = ''] = there.requestors;
  const person = await senderAt(db.read, requestor);
  const first = messages[0]!;
  if (!person || there.requestors.length !== 1 || there.queue === 'ecsubmission') return;
  await db.change(ownActivity('tickets.takeFromTracker', 'Took in a ticket from Request Tracker'), async change => {
    const { ticketId: id } = await change
      .insertInto('ticket')
      .values({
        queue: there.queue,
        subject: (there.subject.trim() || 'E-mail without a subject').slice(0, 200),
        accountName: null,
        requestor: person.loginId,
        requestorName: person.fullName,
        requestorEmail: person.email,
        tieKind: null,
        tieText: null,
        asks: null,
        createdAt: first.at,
        updatedAt: change.now,
        waitingSince: change.now,
      })
      .returning('ticketId')
      .executeTakeFirstOrThrow();
    await change
      .insertInto('ticketTracking')
      .values({ ticketId: id, trackerId: there.trackerId, state: there.state, lastTransaction: last })
      .execute();
    for (const message of messages) {
      const isMember = there.requestors.includes(message.by);
      const author = isMember ? person.fullName : 'Registry staff';
      const by = isMember ? 'member' : 'staff';
      const messageId = await addMessage(change, String(id), {
        kind: 'message',
        by,
        loginId: isMember ? person.loginId : null,
        author,
        content: contentOf(message),
        byMail: isMember,
      });
      await keepPassed(change, messageId);
    }
    const row = await lockTicket(change, String(id));
    await moveTicket(
      change,
      row,
      there.state,
      messages.some(({ by }) => !there.requestors.includes(by)),
    );
    await change.note({ ticket: String(id), queue: there.queue });
  });
}
