import * as z from 'zod';
import type { Change } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import { taskType } from '../../platform/tasks.ts';
import { findAccount } from '../accounts/index.ts';

/** Logs its input: shows that tasks are worked on. */
export const echo = taskType({
  name: 'whois.echo',
  summary: 'Repeated a message',
  input: z.object({ message: z.string(), fail: z.boolean() }),
  run: async ({ input }) => (input.fail ? { outcome: 'failed', error: input.message } : { outcome: 'success' }),
});

/** Lets the task runner repeat a message in an account. @throws Failure ACCOUNT_NOT_FOUND */
export async function startEcho(
  change: Change,
  { accountName, message, fail }: { accountName: string; message: string; fail: boolean },
): Promise<{ taskId: number }> {
  if (!(await findAccount(change, accountName))) throw refuse('ACCOUNT_NOT_FOUND', { account: accountName });
  await change.concerns(accountName);
  const taskId = await change.enqueue({ ...echo, summary: `Echo: ${message}` }, { message, fail });
  await change.updateTable('task').set({ accountName }).where('taskId', '=', taskId).execute();
  return { taskId };
}
