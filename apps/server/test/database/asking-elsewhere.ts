import type { Database } from '../../src/platform/database/index.ts';

const withOwn = (database: Database, own: Partial<Database>): Database =>
  Object.defineProperties({} as Database, {
    ...Object.getOwnPropertyDescriptors(database),
    ...Object.getOwnPropertyDescriptors(own as object),
  });

/** Returns a database whose questions are read at another one, as at a replica that is far behind. */
export function askingElsewhere(database: Database, other: Database): Database {
  const asking: Database = withOwn(database, {
    forQuestion: () => replica,
    get primary() {
      return asking;
    },
  });
  const replica = withOwn(other, {
    get primary() {
      return asking;
    },
  });
  return asking;
}
