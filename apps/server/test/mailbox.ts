import { vi } from 'vitest';
import type { Config } from '../src/config.ts';
import { mailServer } from '../src/modules/mail/mail-server.ts';
import type { Database } from '../src/platform/database/index.ts';
import { standIn } from '../src/platform/outside-systems.ts';
import { startWorker } from '../src/platform/worker.ts';
import { tasksOf, testContext } from './context.ts';

export type Delivered = { recipient: string; subject: string; body: string; html: string; unsubscribe: string | null; mailId: number };

/** A worker whose mail is captured, for tests that read the mail they caused. */
export async function openMailbox(registry: { db: Database; config: Config }) {
  const { db } = registry;
  const delivered: Delivered[] = [];
  const post = {
    deliver: async (message: Delivered) => {
      delivered.push(message);
      return undefined;
    },
    keepsLinks: false,
  };
  const context = testContext(registry, standIn(mailServer, post));
  const runner = await startWorker(context, { tasks: tasksOf(context), schedule: [] });
  /** Waits until nothing is left to do. */
  const idle = (): Promise<void> =>
    vi.waitFor(
      async () => {
        const task = await db.read.selectFrom('task').select('name').where('state', '!=', 'completed').executeTakeFirst();
        if (task) throw new Error(`${task.name} is still to be done`);
      },
      { timeout: 20_000, interval: 20 },
    );
  return {
    delivered,
    idle,
    /** All mail to an address, once everything was delivered. */
    to: async (address: string): Promise<Delivered[]> => {
      await idle();
      return delivered.filter(({ recipient }) => recipient === address);
    },
    /** Returns the address of the link in the last mail to an address. */
    linkTo: async (address: string): Promise<string> => {
      await idle();
      const last = delivered.findLast(({ recipient }) => recipient === address);
      const link = /https?:\/\/\S+\?token=[\w-]+/.exec(last?.body ?? '')?.[0];
      if (link === undefined) throw new Error(`no link was mailed to ${address}: ${last?.body ?? 'no mail at all'}`);
      return link;
    },
    async [Symbol.asyncDispose]() {
      await runner.stop();
    },
  };
}
