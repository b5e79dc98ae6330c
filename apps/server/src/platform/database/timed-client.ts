import type { PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { inSpan } from '../telemetry/spans.ts';
import { statementFacts } from '../telemetry/statement-words.ts';

/** A pooled connection whose statements also have a time limit on the client side. */
export interface TimedClient {
  /**
   * Runs a statement and waits so many ms for its answer; 0 for no limit. Without one by then the server hangs: this statement fails, and so does
   * every later one on this connection, because it would queue behind the first.
   * @throws Error "Query read timeout"
   */
  query<Row extends QueryResultRow>(statement: QueryConfig, waitLimit: number): Promise<QueryResult<Row>>;
  /** Gives the connection back to the pool, or closes it: if asked to, and if a statement is unanswered. */
  release(destroy?: Error | boolean): void;
}

/** Longer than the server's statement timeout: without an answer by then, the server hangs. */
export const clientTimeout = (limit: number): number => limit + Math.min(5_000, limit);

export function timedClient(client: PoolClient): TimedClient {
  let timeout: Error | undefined;
  return {
    query: async (statement, waitLimit) => {
      if (timeout) throw timeout;
      try {
        return await inSpan(
          () => statementFacts(statement.text),
          () => client.query({ ...statement, ...(waitLimit > 0 && { query_timeout: waitLimit }) }),
        );
      } catch (error) {
        if (error instanceof Error && error.message === 'Query read timeout') timeout = error;
        throw error;
      }
    },
    release: destroy => client.release(timeout ?? destroy),
  };
}
