import * as z from 'zod';
import type { Change, Database } from '../../platform/database/index.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { taskType } from '../../platform/tasks.ts';

/** A message as a module writes it: plain text, no secrets (domain/resources.md 2.10) but its link. */
export type Message = {
  recipient: string;
  subject: string;
  /** `{link}` stands where the link goes. */
  body: string;
  accountName?: string | undefined;
  /** Address that lets whoever opens it do something once. It is kept sealed, apart from the words, and forgotten when it was sent. */
  link?: string | undefined;
};

/** Outgoing mail: an SMTP server, or a keeper that only says it was delivered. */
export type Post = {
  deliver(message: { recipient: string; subject: string; body: string; mailId: number }): Promise<void>;
  /** Whether people read their mail at /dev/mail (demo mode without an SMTP server), so that links stay for a day. */
  keepsLinks: boolean;
};

declare module '../../platform/tasks.ts' {
  interface TaskDependencies {
    post: Post;
    box: SecretBox;
  }
}

/** How long a link can stay readable: in demo mode at /dev/mail, or while the mail server refuses the message. */
export const LINK_HOURS = 24;
const sealName = (recipient: string): string => `link mailed to ${recipient}`;
const placeholder = '{link}';

/** The body with its link, or with words that say where the link is gone. */
export function bodyOf(
  box: SecretBox,
  { recipient, body, sealedLink }: { recipient: string; body: string; sealedLink: Uint8Array | null },
): string {
  if (!body.includes(placeholder)) return body;
  const link = sealedLink === null ? '(the link was sent and is not kept)' : box.open(sealName(recipient), sealedLink).toString();
  return body.replaceAll(placeholder, () => link);
}

/** Delivers one kept message; retried with growing pauses while the mail server refuses. */
export const deliverMail = taskType({
  name: 'mail.deliver',
  summary: 'Sent an e-mail',
  input: z.object({ mailId: z.int() }),
  run: async ({ db, activity, input, deps }) => {
    const message = await db.read.selectFrom('mail').selectAll().where('mailId', '=', input.mailId).executeTakeFirst();
    if (!message || message.sentAt) return;
    const { mailId, recipient, subject } = message;
    await deps.post.deliver({ mailId, recipient, subject, body: bodyOf(deps.box, message) });
    await db.change(activity, async change => {
      await change
        .updateTable('mail')
        .set({ sentAt: change.now, failure: null, ...(!deps.post.keepsLinks && { sealedLink: null }) })
        .where('mailId', '=', mailId)
        .execute();
    });
  },
});

/** Writes a message in the change that needs it; it is delivered if and only if the change commits. */
export async function sendMail(change: Change, message: Message & { link?: undefined }): Promise<void>;
/** @param box seals the link. */
export async function sendMail(change: Change, message: Message, box: SecretBox): Promise<void>;
export async function sendMail(change: Change, { link, ...message }: Message, box?: SecretBox): Promise<void> {
  const sealedLink = link === undefined ? null : box!.seal(sealName(message.recipient), link);
  const { mailId } = await change
    .insertInto('mail')
    .values({ ...message, accountName: message.accountName ?? null, sealedLink, writtenAt: change.now })
    .returning('mailId')
    .executeTakeFirstOrThrow();
  await change.enqueue(deliverMail, { mailId });
}

/** Forgets the links of mail that is a day old. It is a change like any other, so it leaves a line when there was something to forget. */
export async function forgetLinks(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - LINK_HOURS * 3_600_000).toISOString();
  const old = db.read.selectFrom('mail').select('mailId').where('sealedLink', 'is not', null).where('writtenAt', '<', before).limit(1);
  if (!(await old.executeTakeFirst())) return;
  const line = { action: 'mail.forgetLinks', summary: 'Forgot the links of old e-mails', traceId: crypto.randomUUID().replaceAll('-', '') };
  await db.change(line, async change => {
    await change
      .updateTable('mail')
      .set({ sealedLink: null })
      .where('sealedLink', 'is not', null)
      .where('writtenAt', '<', before)
      .execute();
  });
}
