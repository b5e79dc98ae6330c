import { createHash } from 'node:crypto';
import { DAY_MS, HOUR_MS, SECOND_MS } from '@portal/contract/days';
import { fileKindNames, largestFile } from '@portal/contract/file-kinds';
import { queueNamed, type TicketQueue } from '@portal/contract/tickets/queues';
import { sql } from 'kysely';
import { refuseBeyond } from '../../platform/counted-limit.ts';
import { beginningOf } from '../../platform/beginning-of.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { type Change, type Database, ownActivity } from '../../platform/database/index.ts';
import { TaskRefused } from '../../platform/bounded-thread.ts';
import { Failure } from '../../platform/failure.ts';
import { readApart, readingThread } from '../../platform/reading-apart.ts';
import type { Secrets } from '../../platform/secret-box.ts';
import { type FileStore, receiveFile, uploadFile } from '../documents/index.ts';
import { senderAt } from '../identity/index.ts';
import { threadIn } from '../mail/index.ts';
import { automaticBecause, headerOf, senderVerdict } from './mail-headers.ts';
import type { read, ReadMail } from './mail-reading-thread.ts';
import { notifyAboutTicket } from './ticket-notices.ts';
import { addMessage, lockTicket, moveTicket, noTicket } from './ticket-row.ts';
import { answerElsewhere, openTicket, refuseClosed } from './tickets.ts';
import { theLast } from '../../platform/clock-watch.ts';
import { ticketsTexts } from './mail-texts.ts';

/** Largest mail, in bytes: files of 10 MB each, a third more in base 64. */
const MAX_MAIL = 40_000_000;
const MAX_FILES = 5;
/** Maximum number of messages by mail of people without a login, per ticket and day. */
const MAX_OUTSIDE_A_DAY = 20;

type Tools = {
  db: Database;
  config: Secrets & { appUrl: string; mailIn: string; mailInAuthserv: string; virusScannerUrl: string };
  store: FileStore;
  now: Date;
};
/** Result of handling a mail, in a sentence, which is returned to the sender if it is refused. */
export type ReceivedMail = { outcome: 'taken' | 'ignored' | 'refused'; words: string };

/** Mails have a thread of their own: what strangers send holds up no text of a member. */
const readMail = readApart<typeof read>(
  new URL('./mail-reading-thread.ts', import.meta.url),
  readingThread({ memoryMb: 384, timeMs: 10 * SECOND_MS, waiting: 8 }),
);

/** Reads a mail in a thread with limits: a mail of anyone must not hold up the process. Null for what is none, or takes too long. */
async function readOf(source: Buffer): Promise<ReadMail | null> {
  try {
    return await readMail('mail-in', { source: new Uint8Array(source) });
  } catch (error) {
    // The mail server tries one again that waits behind too many others.
    if (!(error instanceof TaskRefused) || error.reason === 'busy') throw error;
    return null;
  }
}

/**
 * Handles an e-mail: an answer in the ticket that its signed reply address or a signed id among `In-Reply-To` and `References` names, or else a new ticket of
 * the person. The sender is identified by the address, which the mail server has to verify, and in a ticket also by the signature: a mail that is not from
 * its sender by what the mail server found is refused, and one of which that isn't known is marked. A mail that arrives twice is stored once.
 * @param envelope as the mail server delivered it; `sender` is empty for bounces
 */
export async function takeMail(
  tools: Tools,
  source: Buffer,
  { sender, recipient }: { sender?: string | undefined; recipient?: string | undefined },
): Promise<ReceivedMail> {
  const { db, config } = tools;
  if (source.length > MAX_MAIL) return refused('The e-mail is larger than 40 MB. Send large files in the portal');
  const mail = await readOf(source);
  if (!mail) return refused('The e-mail can’t be read');
  const why = automaticBecause(mail, sender);
  if (why !== null) return { outcome: 'ignored', words: `Ignored: ${why}.` };
  const from = addressIn(mail);
  if (from === null) return refused('The e-mail has no sender');
  const portal = `${config.appUrl}/contact/helpdesk/rt-tickets`;
  const verdict = senderVerdict(mail, config.mailInAuthserv, from);
  if (verdict === 'failed')
    return refused(`The e-mail is not from ${from}: it failed the checks of its domain (SPF, DKIM, DMARC). Write in the portal: ${portal}`);
  const { text } = mail;
  if (text === '') return refused('The e-mail has no text. Write what you need');
  const mailId = beginningOf(mail.messageId || `<${createHash('sha256').update(source).digest('hex')}@no-message-id>`, 998);
  if (await isKept(db, mailId)) return { outcome: 'ignored', words: 'Ignored: it is kept already.' };
  const person = await personAt(db, from);
  const recipients = [recipient ?? '', headerOf(mail, 'delivered-to'), ...mail.recipients];
  const thread = threadIn(config, [...recipients, mail.inReplyTo, mail.references].join(' '));
  const ticketId = /^ticket-(\d+)$/.exec(thread ?? '')?.[1];
  try {
    if (person === null) {
      if (ticketId === undefined) return refused(`We don’t know ${from}. Write from the address of your login, or sign in at ${portal}`);
      await db.change(ownActivity('tickets.takeMail', 'Took in an e-mail'), async change => {
        await answerFromOutside(change, ticketId, { from, text, mailId });
        await noteVerdict(change, mailId, verdict);
      });
      return taken(ticketId);
    }
    const files = await filesOf(tools, person, mail);
    const given = { text: [text, ...files.left].join('\n\n') };
    return await db.change(
      { ...ownActivity('tickets.takeMail', 'Took in an e-mail'), login: { issuer: person.issuer, subject: person.subject } },
      async change => {
        const documentIds: string[] = [];
        for (const { fileName, file } of files.kept)
          documentIds.push(
            (await uploadFile({ change, caller: person, query: { fileName }, body: file, registry: { config } })).documentId,
          );
        const message = { ...given, documentIds };
        if (ticketId !== undefined) {
          await answerElsewhere(change, person, ticketId, { ...message, mailId });
          await noteVerdict(change, mailId, verdict);
          return taken(ticketId);
        }
        const queue = queueIn(config.mailIn, recipients);
        const body = { ...message, queue, account: null, subject: subjectOf(mail), about: '', cc: [] };
        const opened = await openTicket({ change, caller: person, body, source: { mailId } });
        await noteVerdict(change, mailId, verdict);
        return taken(opened.ticketId);
      },
    );
  } catch (error) {
    // Delivered twice at the same time: the other one was stored.
    if ((error as { constraint?: string }).constraint === 'ticket_message_mail_id_key')
      return { outcome: 'ignored', words: 'Ignored: it is kept already.' };
    if (error instanceof Failure && error.status !== 503) return refused(`${error.message.replace(/\.$/, '')}. The portal: ${portal}`);
    throw error;
  }
}

const refused = (words: string): ReceivedMail => ({ outcome: 'refused', words: `${words}.` });
const taken = (ticketId: string): ReceivedMail => ({ outcome: 'taken', words: `Taken in as a message of ticket ${ticketId}.` });

/** The one address a mail comes from, in lower case; null if there is none, or several. */
const addressIn = ({ from }: ReadMail): string | null => (from && /^[^\s@]{1,64}@[^\s@]{1,189}$/.test(from) ? from : null);

/** Marks the message of a mail of which no one knows whether it is from its sender. */
const noteVerdict = (change: Change, mailId: string, verdict: 'verified' | 'unknown'): Promise<unknown> =>
  change.rows(sql`update ticket_message set sender_unverified = ${verdict === 'unknown'} where mail_id = ${mailId}`);

const isKept = async (db: Database, mailId: string): Promise<boolean> =>
  (await db.read.rows(sql`select 1 from ticket_message where mail_id = ${mailId}`)).length > 0;

/** The person whose verified address this is, acting without a second factor; null if there is none, or the login is disabled or frozen. */
async function personAt({ read }: Database, email: string): Promise<Caller | null> {
  const login = await senderAt(read, email);
  if (!login) return null;
  const { loginId, fullName: name } = login;
  const nothing = {
    issuer: '',
    subject: loginId,
    sid: null,
    amr: [],
    acr: null,
    authTime: null,
    expiresAt: 0,
    mfa: false,
    staff: false,
    staffPermissions: new Set<never>(),
  };
  return { ...nothing, loginId, name, email: login.email };
}

/** `support+billing@…` is for the queue billing; everything else for the general one. */
function queueIn(mailIn: string, recipients: readonly string[]): TicketQueue {
  const [mailbox = ''] = mailIn.toLowerCase().split('@');
  const names = recipients.map(to => to.toLowerCase().split('@')[0]!).filter(local => local.startsWith(`${mailbox}+`));
  return names.map(local => queueNamed(local.slice(mailbox.length + 1))).find(queue => queue && queue !== 'ecsubmission') ?? 'helpdesk';
}

function subjectOf({ subject }: ReadMail): string {
  const words = subject
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/^\s*((re|aw|fwd?|wg)\s*:\s*)+/i, '')
    .trim();
  return words.length < 3 ? 'E-mail without a subject' : beginningOf(words.toWellFormed(), 200);
}

type File = { fileName: string; file: Awaited<ReturnType<typeof receiveFile>> };

/** Stores the accepted files of a mail; returns a sentence for each of the others with the reason. */
async function filesOf({ db, store, now }: Tools, person: Caller, mail: ReadMail): Promise<{ kept: File[]; left: string[] }> {
  const kept: File[] = [];
  const left: string[] = [];
  for (const [index, { name, content }] of mail.files.entries()) {
    const fileName = beginningOf((name ?? `File ${index + 1}`).replaceAll(/[\p{Cc}\p{Cf}]/gu, ' '), 100);
    if (kept.length >= MAX_FILES) {
      left.push(`The file “${fileName}” was left out: an e-mail brings at most ${MAX_FILES}.`);
      continue;
    }
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    try {
      const arriving = {
        name: fileName,
        announced: bytes.length,
        chunks: piecesOf(bytes),
        takes: { largest: largestFile, kinds: fileKindNames },
      };
      kept.push({ fileName, file: await receiveFile({ read: db.read, store, now }, person, arriving) });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const why = error.message.replace(/\.$/, '');
      left.push(error.code === 'FILE_REFUSED' ? `${why}.` : `The file “${fileName}” was left out: ${why}.`);
    }
  }
  return { kept, left };
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length || start === 0; start += 65_536) yield bytes.subarray(start, start + 65_536);
}

/** Answers for a person without a login who opened the ticket, or is copied in. @throws Failure NOT_FOUND for any other, TICKET_CLOSED, TOO_MANY_REQUESTS */
async function answerFromOutside(
  change: Change,
  ticketId: string,
  { from, text, mailId }: { from: string; text: string; mailId: string },
): Promise<void> {
  const row = await lockTicket(change, ticketId);
  const [copied] = await change.rows<{ fullName: string }>(
    sql`select full_name from ticket_cc where ticket_id = ${Number(ticketId)} and lower(email) = ${from} and login_id is null
      union all select requestor_name from ticket where ticket_id = ${Number(ticketId)} and lower(requestor_email) = ${from} and requestor is null`,
  );
  if (!copied) throw noTicket();
  refuseClosed(row, new Date(change.now));
  const { since, until } = theLast(DAY_MS, change.now);
  await refuseBeyond(change, {
    of: `tickets.mailed-to-${ticketId}`,
    counted: sql`select count(*) as count from ticket_message
      where ticket_id = ${Number(ticketId)} and by_mail and login_id is null and at between ${since}::timestamptz and ${until}::timestamptz`,
    limit: MAX_OUTSIDE_A_DAY,
    seconds: HOUR_MS / 1000,
  });
  if (row.accountName) await change.concerns(row.accountName);
  const author = copied.fullName;
  await addMessage(change, ticketId, { kind: 'message', by: 'member', loginId: null, author, content: text, byMail: true, mailId });
  await moveTicket(change, row, row.state === 'new' ? 'new' : 'open');
  await change.note({ ticket: ticketId, subject: row.subject });
  await notifyAboutTicket(change, row, {
    except: null,
    exceptEmail: from,
    text: ticketsTexts.written('wroteByMail', { writer: author, words: text }),
  });
}
