import { type RawBuilder, sql } from 'kysely';
import type { Change } from './read-change.ts';

/**
 * Sends texts to the database one by one, ahead of a statement that needs them together: as parameters of one statement megabytes would be copied in one turn of the
 * event loop. Returns what each is called in the next statement; they are gone with the change.
 */
export async function sendAhead(change: Pick<Change, 'rows'>, texts: Iterable<string>): Promise<RawBuilder<string>[]> {
  const sent: RawBuilder<string>[] = [];
  for (const text of texts) {
    // The database answers with the text that was set, which would be read for nothing.
    const name = `ahead.text_${sent.length}`;
    await change.rows(sql`select set_config(${name}, ${text}, true) is null as is_null`);
    sent.push(sql<string>`current_setting(${name})`);
  }
  return sent;
}
