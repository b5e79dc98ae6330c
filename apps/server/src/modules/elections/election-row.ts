import { isRowId } from '@portal/contract/row-ids';
import { windowInWords, type WindowKind, windowKindNames, windowStateAt } from '@portal/contract/elections/election-windows';
import type { ElectionState } from '@portal/contract/elections/life';
import type { StaffElection } from '@portal/contract/elections/elections';
import { type RawBuilder, sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';

type Row = Omit<StaffElection, 'windows' | 'state'> & { state: 'draft' | 'published' | 'cancelled' };
type WindowRow = { electionId: string; kind: WindowKind; opensAt: string; closesAt: string; url: string };

const columns = sql`election_id::text as election_id, version, state, generation, kind, ballots, set_up_at, first_set_up_at, title, description, seats, max_selections, time_zone,
  conference, registration_cut_off, candidates_url, results_url, published_at, cancelled_at, cancel_reason`;

/** A published election is closed once all its windows are; the state is derived. */
const stateAt = (state: Row['state'], windows: readonly WindowRow[], now: Date): ElectionState =>
  state === 'published' && windows.every(window => windowStateAt(window, now) === 'closed') ? 'closed' : state;

/** Elections with their timetables. `rest`: the SQL after `from election`, such as a condition and an order. */
export async function readElections(read: Read, rest: RawBuilder<unknown>, now: Date): Promise<StaffElection[]> {
  const rows = await read.rows<Row>(sql`select ${columns} from election ${rest}`);
  if (rows.length === 0) return [];
  const windows =
    await read.rows<WindowRow>(sql`select election_id::text as election_id, kind, opens_at, closes_at, url from election_window
    where election_id = any (${rows.map(({ electionId }) => electionId)}::bigint[])`);
  return rows.map(row => {
    const own = windows
      .filter(({ electionId }) => electionId === row.electionId)
      .sort((a, b) => windowKindNames.indexOf(a.kind) - windowKindNames.indexOf(b.kind));
    return {
      ...row,
      state: stateAt(row.state, own, now),
      windows: own.map(({ kind, opensAt, closesAt, url }) => ({
        kind,
        opensAt,
        closesAt,
        url,
        state: windowStateAt({ opensAt, closesAt }, now),
        words: windowInWords({ opensAt, closesAt }, now),
      })),
    };
  });
}

/** Elections that were published and have a window of this kind: those that end after an instant, or were cancelled after it. */
export const electionsSince = (read: Read, vote: WindowKind, since: Date, now: Date): Promise<StaffElection[]> =>
  readElections(
    read,
    sql`where published_at is not null and exists (select from election_window w where w.election_id = election.election_id and w.kind = ${vote})
      and case when cancelled_at is not null then cancelled_at > ${since.toISOString()}::timestamptz
        else exists (select from election_window w where w.election_id = election.election_id and w.closes_at > ${since.toISOString()}::timestamptz) end`,
    now,
  );

/** Parses a number in a path; anything else isn't an election. */
const numberOf = (electionId: string): number => {
  if (!isRowId(electionId)) throw refuse('NOT_FOUND', { what: 'The election' });
  return Number(electionId);
};

/** One election. @throws Failure NOT_FOUND */
export async function readElection(read: Read, electionId: string, now: Date): Promise<StaffElection> {
  const [election] = await readElections(read, sql`where election_id = ${numberOf(electionId)}`, now);
  if (!election) throw refuse('NOT_FOUND', { what: 'The election' });
  return election;
}

/** Whether the encrypted ballot of an election was set up at any time: questions, answers, trustees and key stay from then on, also while its roll is corrected. */
export async function wasSetUp(read: Pick<Read, 'rows'>, electionId: string): Promise<boolean> {
  const [row] = await read.rows<{ was: boolean }>(
    sql`select first_set_up_at is not null as was from election where election_id = ${numberOf(electionId)}`,
  );
  return row?.was === true;
}

/** Locks and returns one election. @throws Failure NOT_FOUND */
export async function lockElection(change: Change, electionId: string, now: Date): Promise<StaffElection> {
  await change.rows(sql`select election_id from election where election_id = ${numberOf(electionId)} for no key update`);
  return readElection(change, electionId, now);
}

/**
 * SQL: where the result of election `e` is, once all its windows are over: the address that staff entered, or the page of the registry's own ballots; null where there is none.
 */
export const resultsOf = (now: Date): RawBuilder<string | null> => sql<string | null>`case
  when e.results_url <> '' then e.results_url
  when e.state <> 'published' or exists (select from election_window o where o.election_id = e.election_id and o.closes_at > ${now.toISOString()}::timestamptz) then null
  when e.ballots = 'encrypted' then case when e.first_set_up_at is not null then '/elections/' || e.election_id end
  when exists (select from election_window o where o.election_id = e.election_id and o.kind in ('member-vote', 'attendee-vote') and o.url = '') then '/ballots/' || e.election_id
  end`;
