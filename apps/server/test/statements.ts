import pg from 'pg';
import { vi } from 'vitest';

/** How many statements a piece of work sends to the database, all connections of this process together. */
export async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    return query.mock.calls.length;
  } finally {
    query.mockRestore();
  }
}
