import pg from 'pg';
import { vi } from 'vitest';

/** Background statements: the listening connection probes itself, and reads at its start which sessions have ended. */
const sentByItself = ['select 1', 'select "sid" from "session" where "ended_at" > $1'];

/** The statements that some work sends to the database, in order, over all connections of this process. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    return query.mock.calls
      .map(([statement]) => statement as unknown as string | { text: string })
      .map(statement => (typeof statement === 'string' ? statement : statement.text))
      .filter(text => !sentByItself.includes(text));
  } finally {
    query.mockRestore();
  }
}
