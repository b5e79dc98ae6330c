import pg from 'pg';
import { vi } from 'vitest';

/** The listening connection asks now and then whether it still stands; nobody's work does that. */
const heartbeat = 'select 1';

/** How many statements a piece of work sends to the database, all connections of this process together. */
export async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    return query.mock.calls.filter(([statement]) => (statement as unknown) !== heartbeat).length;
  } finally {
    query.mockRestore();
  }
}
