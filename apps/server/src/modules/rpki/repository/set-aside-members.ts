import { instantBefore } from '@portal/contract/days';
import { sql } from 'kysely';
import { isInFuture } from '../../../platform/clock-watch.ts';
import type { Read } from '../../../platform/database/index.ts';
import { PATIENCE_MS } from '../authorities/due-authorities.ts';
import type { Places } from '../places.ts';

/** Files that can't be published: relying parties would refuse them, or their authority can't sign. The publication with them is rolled back. */
export class PublicationRefused extends Error {
  override name = 'PublicationRefused';
  readonly uris: readonly string[];

  /** @param problems a sentence each, which begins with the address of the file, or of the directory of its authority */
  constructor(why: string, problems: readonly string[], options?: ErrorOptions) {
    super(`${why} ${problems.slice(0, 5).join('; ')}`, options);
    this.uris = problems.map(each => each.slice(0, each.indexOf(': ')));
  }
}

/**
 * Members whose files can't be published, so that everyone else's are published without theirs. Their published files stay, their changes wait (with
 * an alarm after ten minutes), and are retried after the same time.
 */
export class SetAsideMembers {
  readonly #since = new Map<string, number>();

  /** Accounts that are left out at present. */
  at(now: Date): ReadonlySet<string> {
    const before = Date.parse(instantBefore(now, PATIENCE_MS));
    // Since an instant that the clock has not reached: it was set back.
    for (const [accountName, since] of this.#since)
      if (since <= before || isInFuture(new Date(since), now)) this.#since.delete(accountName);
    return new Set(this.#since.keys());
  }

  /** Leaves out the members that a refusal is about. @returns their accounts; empty if the refusal is about other files too, or all of them are already left out */
  async add(read: Pick<Read, 'rows'>, { uris }: PublicationRefused, places: Places, now: Date): Promise<string[]> {
    const directory = `${places.rsync}members/`;
    if (!uris.every(uri => uri.startsWith(directory))) return [];
    const handles = uris.map(uri => uri.slice(directory.length, uri.indexOf('/', directory.length)));
    const rows = await read.rows<{ accountName: string }>(
      sql`select distinct account_name from rpki_ca where kind = 'member' and handle = any(${[...new Set(handles)]}::text[])`,
    );
    const known = this.at(now);
    const fresh = rows.map(({ accountName }) => accountName).filter(accountName => !known.has(accountName));
    for (const accountName of fresh) this.#since.set(accountName, now.getTime());
    return fresh;
  }
}
