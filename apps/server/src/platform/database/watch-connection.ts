import { SECOND_MS } from '@portal/contract/days';
import type pg from 'pg';

/** How long, in ms, a server may take to answer a short question, and to be connected to. */
export const PATIENCE_MS = 2 * SECOND_MS;

/** A connection of its own for short questions from time to time, beside pools that may be busy. */
type WatchConnection = {
  /** Returns the only row of the answer. @throws Error without an answer within the deadline, connecting included */
  ask<Row extends pg.QueryResultRow>(text: string): Promise<Row>;
  close(): void;
};

/** Cuts a connection without waiting for the server. */
function cut(client: pg.Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

/** Opens the connection with the first question, and another one after a question that failed. @param open returns a client that isn't connected yet */
export function watchConnection(open: () => pg.Client, deadlineMs: number): WatchConnection {
  let isClosed = false;
  let current: { client: pg.Client; connected: Promise<unknown> } | null = null;
  const opened = () => {
    const client = open();
    // A question that waits fails as well.
    client.on('error', () => {});
    return { client, connected: client.connect() };
  };
  return {
    ask: async <Row extends pg.QueryResultRow>(text: string): Promise<Row> => {
      if (isClosed) throw new Error('Connection terminated');
      const { client, connected } = (current ??= opened());
      const deadline = setTimeout(() => cut(client), deadlineMs);
      try {
        await connected;
        return (await client.query<Row>(text)).rows[0]!;
      } catch (error) {
        if (current?.client === client) current = null;
        cut(client);
        throw error;
      } finally {
        clearTimeout(deadline);
      }
    },
    close: () => {
      isClosed = true;
      if (current) cut(current.client);
    },
  };
}
