import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';

/** Trackers on one page. */
const LISTED = 500;

/** The trackers of one page, of how many ballots, and the first tracker of each page, in the order of their signs: digits, capitals, small letters. */
export type BallotList = { count: number; page: number; starts: readonly string[]; trackers: readonly string[] };

/**
 * Returns a function that lists the ballots of an archive, a page at a time; the nearest page where one doesn't exist. They are counted and parted into pages once for each state of
 * the archive, whose last hash is `hash`: anyone may ask, as often as they like.
 */
export function ballotLists(
  read: Pick<Read, 'rows'>,
  listed = LISTED,
): (electionId: string, hash: string, page: number) => Promise<BallotList> {
  type Pages = Pick<BallotList, 'count' | 'starts'>;
  const kept = new Map<string, { hash: string; pages: Promise<Pages> }>();
  const readPages = async (electionId: string): Promise<Pages> => {
    const rows = await read.rows<{
      tracker: string;
      count: number;
    }>(sql`select coalesce(tracker, '') as tracker, coalesce(count, 0) as count from (
      select tracker, row_number() over (order by tracker collate "C") as place, count(*) over ()::int as count
      from ballot_event where election_id = ${Number(electionId)} and kind = 'Ballot') t where (place - 1) % ${listed}::int = 0 order by place`);
    return { count: rows[0]?.count ?? 0, starts: rows.map(({ tracker }) => tracker) };
  };
  const pagesOf = (electionId: string, hash: string): Promise<Pages> => {
    const known = kept.get(electionId);
    if (known?.hash === hash) return known.pages;
    const pages = readPages(electionId);
    kept.set(electionId, { hash, pages });
    pages.catch(() => kept.delete(electionId));
    return pages;
  };
  return async (electionId, hash, asked) => {
    const { count, starts } = await pagesOf(electionId, hash);
    const page = Math.min(Math.max(1, asked), Math.max(1, starts.length));
    const first = starts[page - 1];
    if (first === undefined) return { count, page, starts, trackers: [] };
    const rows = await read.rows<{
      tracker: string;
    }>(sql`select coalesce(tracker, '') as tracker from ballot_event where election_id = ${Number(electionId)}
      and kind = 'Ballot' and tracker collate "C" >= ${first} order by ballot_event.tracker collate "C" limit ${listed}`);
    return { count, page, starts, trackers: rows.map(({ tracker }) => tracker) };
  };
}
