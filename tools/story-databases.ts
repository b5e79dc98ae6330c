import { type TestDatabase, throwawayPostgres } from '../apps/server/test/throwaway-postgres.ts';

export type { TestDatabase };

const postgres = () => throwawayPostgres({ inMemory: true });

/** Returns whether this machine has a PostgreSQL for the programs of the stories. */
export const hasPostgres = async (): Promise<boolean> => (await postgres()).server !== null;

/**
 * Creates a database of PostgreSQL for a program of the stories: empty, or a copy of the one with this name.
 * @throws Error with the reason where there is no PostgreSQL
 */
export async function createDatabase(template?: string): Promise<TestDatabase> {
  const { server, reason } = await postgres();
  if (!server) throw new Error(reason);
  return server.createDatabase(template);
}
