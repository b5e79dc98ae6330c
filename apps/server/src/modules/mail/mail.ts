import { HOUR_MS, instantBefore } from '@portal/contract/days';
import { type TopicKey, whyLocked } from '@portal/contract/notifications/topics';
import { addressInAccount } from '@portal/contract/pages';
import type { Selectable } from 'kysely';
import * as z from 'zod';
import { type Change, type Database, ownActivity, type Read, type Tables } from '../../platform/database/index.ts';
import { resealRows, type SecretBox } from '../../platform/secret-box.ts';
import { taskType } from '../../platform/tasks.ts';
import { contactTypesOf, findAccount, hasSeveralAccounts } from '../accounts/index.ts';
import { type Attaches, attachmentsOf, nameOfAttachment } from './attachment.ts';
import { clearRefusals, countRefusal } from './mail-refusals.ts';
import { mailSenderOf } from './mail-sender.ts';
import { mailServer } from './mail-server.ts';
import { FORGOTTEN_LINK, LINK_BLANK, type MailContent, type MailSender, mailDocument, renderMail } from './mail-template.ts';
import { type PersonOf, personOfModules } from './person.ts';
import { threadOfMail } from './reply-address.ts';

/** A message as a module writes it: words without secrets but its link. Brand, greeting and footer are the template's. */
export type Message = {
  topic: TopicKey;
  recipient: string;
  /** Which kind of mail it is; null for tests of the machinery. */
  kind?: string | null | undefined;
  /** For the greeting. */
  recipientName?: string | undefined;
  /** The person's login, where it has one. */
  loginId?: string | null | undefined;
  subject: string;
  /** Paragraphs, separated by empty lines. The link replaces `{link}`, or follows the text. */
  body: string;
  accountName?: string | null | undefined;
  /** Label of the link's button, such as `Answer the invitation`. */
  act?: string | undefined;
  /** The page of the portal the button opens, such as `/settings`. */
  path?: string | undefined;
  /** An address with which its holder can do something once. It is stored encrypted, apart from the text, and deleted when sent. */
  link?: string | undefined;
  /** Deadline of the action. */
  answerBy?: string | undefined;
  /** Offers to freeze the login that made the change the mail is about. */
  freezeLinkId?: string | null | undefined;
  /** Scope of unsubscribing, if less than all e-mails of the topic: ids of follows, separated by blanks; of `status.notices`, the subscriber. */
  unsubscribesFrom?: string | undefined;
  /** A document it carries. */
  attaches?: Attaches | undefined;
  /** The conversation it belongs to, such as `ticket-20001`: answers by e-mail lead back there. */
  thread?: string | undefined;
};

/** How many hours a link can stay readable: in demo mode at /dev/mail, or while the mail server refuses the message. */
export const LINK_HOURS = 24;
const sealName = (recipient: string): string => `link mailed to ${recipient}`;

/** The body with its link, or with a note that the link was deleted. */
export function bodyOf(box: SecretBox, mail: { recipient: string; body: string; sealedLink: Uint8Array | null }): string {
  const link = sealedLinkOf(box, mail);
  return link === null ? mail.body : mail.body.replaceAll(LINK_BLANK, () => link);
}

/** The secret link of a message, or the note for one that was sent; null if it never had one. */
function sealedLinkOf(box: SecretBox, mail: { recipient: string; body: string; sealedLink: Uint8Array | null }): string | null {
  if (mail.sealedLink !== null) return box.open(sealName(mail.recipient), mail.sealedLink).toString();
  return mail.body.includes(LINK_BLANK) ? FORGOTTEN_LINK : null;
}

/** A stored message as input of the template. */
export async function mailOf(
  read: Read,
  mail: Selectable<Tables['mail']>,
  { box, mailSender, personOf }: { box: SecretBox; mailSender: MailSender; personOf: PersonOf },
): Promise<MailContent> {
  const topic = mail.topic as TopicKey;
  const account = mail.accountName === null ? null : await findAccount(read, mail.accountName);
  const person = mail.loginId === null ? null : await personOf(read, mail.loginId);
  const freezes =
    mail.freezeLinkId === null
      ? undefined
      : await read.selectFrom('freezeLink').select('loginId').where('freezeLinkId', '=', mail.freezeLinkId).executeTakeFirst();
  const frozen = freezes && freezes.loginId !== mail.loginId ? await personOf(read, freezes.loginId) : null;
  const several =
    mail.loginId !== null && mail.accountName !== null && mail.path !== null && (await hasSeveralAccounts(read, mail.loginId));
  const path = several ? addressInAccount(mail.path!, mail.accountName!) : mail.path;
  const mayStop = mail.loginId !== null && whyLocked(topic, await contactTypesOf(read, mail.loginId)) === null;
  const subscribed = topic === 'status.notices' && mail.loginId === null && mail.unsubscribesFrom !== null;
  return {
    topic,
    subject: mail.subject,
    body: mail.body,
    recipientName: mail.recipientName,
    username: person?.username ?? null,
    account,
    link: sealedLinkOf(box, mail) ?? (path === null ? null : mailSender.appUrl + path),
    act: mail.act,
    answerBy: mail.answerBy,
    freeze: freezes ? { whose: frozen?.fullName ?? null, address: mailSender.freezeAddress(mail.freezeLinkId!) } : null,
    replies: mail.thread === null ? null : mailSender.readsReplies,
    unsubscribe: subscribed
      ? mailSender.subscriptionLink(mail.unsubscribesFrom!)
      : mayStop
        ? mailSender.unsubscribeLink({ loginId: mail.loginId!, topic, from: mail.unsubscribesFrom })
        : null,
  };
}

/**
 * Delivers one stored message; retried with growing pauses while the mail server is unreachable or asks to wait. A permanent refusal
 * ends the attempts, and counts against the address.
 */
export const deliverMail = taskType({
  name: 'mail.deliver',
  summary: 'Sent an e-mail',
  runner: 'mail',
  input: z.object({ mailId: z.int() }),
  run: async ({ db, activity, input, context }) => {
    const mail = await db.read.selectFrom('mail').selectAll().where('mailId', '=', input.mailId).executeTakeFirst();
    if (!mail || mail.sentAt || mail.refusedAt) return;
    const { mailId, recipient, subject } = mail;
    const mailSender = mailSenderOf(context.config, context.profile);
    const letter = await mailOf(db.read, mail, { box: context.box, mailSender, personOf: personOfModules(context) });
    const rendered = renderMail(letter, mailSender);
    const post = context.outside(mailServer);
    const { config } = context;
    const thread =
      mail.thread === null
        ? null
        : threadOfMail(config, mail.thread, { mailIn: config.mailIn, host: new URL(config.appUrl).hostname, mailId });
    const refused = await post.deliver({
      mailId,
      recipient,
      subject,
      body: rendered.text,
      html: mailDocument(subject, rendered),
      unsubscribe: letter.unsubscribe,
      attachments: mail.attaches === null ? [] : await attachmentsOf(context, db.read, mail.attaches),
      thread,
    });
    if (refused) {
      const summary = 'An e-mail was refused for good';
      await db.change({ ...activity, action: 'mail.refused', summary }, async change => {
        await change
          .updateTable('mail')
          .set({ refusedAt: change.now, failure: refused.refusal, sealedLink: null })
          .where('mailId', '=', mailId)
          .execute();
        await countRefusal(change, recipient, refused.refusal);
      });
      return;
    }
    await db.change(activity, async change => {
      await change
        .updateTable('mail')
        .set({ sentAt: change.now, failure: null, ...(!post.keepsLinks && { sealedLink: null }) })
        .where('mailId', '=', mailId)
        .execute();
      await clearRefusals(change, recipient);
    });
  },
});

/** Writes a message as it is. Modules send declared kinds of mail, with `sendMail` of `sent-text.ts`. */
export async function sendMail(change: Change, message: Message & { link?: undefined }): Promise<void>;
/** @param box seals the link. */
export async function sendMail(change: Change, message: Message, box: SecretBox): Promise<void>;
export async function sendMail(change: Change, { link, attaches, ...message }: Message, box?: SecretBox): Promise<void> {
  const sealedLink = link === undefined ? null : box!.seal(sealName(message.recipient), link);
  // Without a place for it in the text, the link follows it.
  const body = link === undefined || message.body.includes(LINK_BLANK) ? message.body : `${message.body}\n\n${LINK_BLANK}`;
  const { mailId } = await change
    .insertInto('mail')
    .values({
      ...message,
      body,
      kind: message.kind ?? null,
      recipientName: message.recipientName ?? '',
      loginId: message.loginId ?? null,
      accountName: message.accountName ?? null,
      act: message.act ?? null,
      path: message.path ?? null,
      answerBy: message.answerBy ?? null,
      freezeLinkId: message.freezeLinkId ?? null,
      unsubscribesFrom: message.unsubscribesFrom ?? null,
      attaches: attaches ? nameOfAttachment(attaches) : null,
      thread: message.thread ?? null,
      sealedLink,
      writtenAt: change.now,
    })
    .returning('mailId')
    .executeTakeFirstOrThrow();
  await change.enqueue(deliverMail, { mailId });
}

/** Reseals links of undelivered mail, sealed with the previous key, with SECRET_KEY. Returns how many. */
export async function resealLinks(change: Change, box: SecretBox): Promise<number> {
  const rows = await change
    .selectFrom('mail')
    .select(['mailId', 'recipient', 'sealedLink'])
    .where('sealedLink', 'is not', null)
    .forUpdate()
    .execute();
  return resealRows(
    rows,
    ({ recipient, sealedLink }) => box.reseal(sealName(recipient), sealedLink!),
    ({ mailId }, anew) => change.updateTable('mail').set({ sealedLink: anew }).where('mailId', '=', mailId).execute(),
  );
}

/** Deletes the links of mail that is a day old. It is a normal change, so it is logged if there was something to delete. */
export async function deleteExpiredLinks(db: Database, now: Date): Promise<void> {
  const before = instantBefore(now, LINK_HOURS * HOUR_MS);
  const old = db.read.selectFrom('mail').select('mailId').where('sealedLink', 'is not', null).where('writtenAt', '<', before).limit(1);
  if (!(await old.executeTakeFirst())) return;
  const line = ownActivity('mail.deleteExpiredLinks', 'Forgot the links of old e-mails');
  await db.change(line, async change => {
    await change
      .updateTable('mail')
      .set({ sealedLink: null })
      .where('sealedLink', 'is not', null)
      .where('writtenAt', '<', before)
      .execute();
  });
}
