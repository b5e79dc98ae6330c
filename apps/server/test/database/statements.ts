import pg from 'pg';
import { vi } from 'vitest';

/** Statements without a caller: the listening connection checks that it is alive, and reads at its start which sessions have ended. */
const sentByItself = ['select 1', 'select "sid" from "session" where "ended_at" > $1'];

/** The statements a piece of work sends to the database, in order, all connections of this process together. */
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
