import * as z from 'zod';
import type { Change } from '../../platform/database/index.ts';
import { taskType } from '../../platform/tasks.ts';

/** A message as a module writes it: plain text, no secrets (domain/resources.md 2.10). */
export type Message = { recipient: string; subject: string; body: string; accountName?: string | undefined };

/** Outgoing mail: an SMTP server, or a keeper that only says it was delivered. */
export type Post = { deliver(message: { recipient: string; subject: string; body: string; mailId: number }): Promise<void> };

declare module '../../platform/tasks.ts' {
  interface TaskDependencies {
    post: Post;
  }
}

/** Delivers one kept message; retried with growing pauses while the mail server refuses. */
export const deliverMail = taskType({
  name: 'mail.deliver',
  summary: 'Sent an e-mail',
  input: z.object({ mailId: z.int() }),
  run: async ({ db, activity, input, deps }) => {
    const message = await db.read.selectFrom('mail').selectAll().where('mailId', '=', input.mailId).executeTakeFirst();
    if (!message || message.sentAt) return;
    await deps.post.deliver(message);
    await db.change(activity, async change => {
      await change.updateTable('mail').set({ sentAt: change.now, failure: null }).where('mailId', '=', input.mailId).execute();
    });
  },
});

/** Writes a message in the change that needs it; it is delivered if and only if the change commits. */
export async function sendMail(change: Change, message: Message): Promise<void> {
  const { mailId } = await change
    .insertInto('mail')
    .values({ ...message, accountName: message.accountName ?? null, writtenAt: change.now })
    .returning('mailId')
    .executeTakeFirstOrThrow();
  await change.enqueue(deliverMail, { mailId });
}
