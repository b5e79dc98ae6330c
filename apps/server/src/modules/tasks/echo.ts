import type { tasks } from '@portal/contract/tasks/tasks';
import * as z from 'zod';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { taskType } from '../../platform/tasks.ts';
import { findAccount } from '../accounts/index.ts';

/** Logs its input, to show that tasks are processed. */
export const echoTask = taskType({
  name: 'whois.echo',
  summary: 'Repeated a message',
  input: z.object({ message: z.string(), fail: z.boolean() }),
  run: async ({ input }) => (input.fail ? { outcome: 'failed', error: input.message } : { outcome: 'success' }),
});

/** Lets the task runner repeat a message in an account. @throws Failure ACCOUNT_NOT_FOUND */
export async function echo({ change, body: { accountName, message, fail } }: Act<typeof tasks.echo>): Promise<{ taskId: number }> {
  if (!(await findAccount(change, accountName))) throw refuse('ACCOUNT_NOT_FOUND', { account: accountName });
  await change.concerns(accountName);
  const taskId = await change.enqueue({ ...echoTask, summary: `Echo: ${message}` }, { message, fail });
  await change.updateTable('task').set({ accountName }).where('taskId', '=', taskId).execute();
  return { taskId };
}
