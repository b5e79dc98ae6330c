import { DAY_MS, instantAfter } from '@portal/contract/days';
import type { StaffElection } from '@portal/contract/elections/elections';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { type Content, html } from '../../platform/http/html.ts';
import { tableFile } from '../../platform/table-file.ts';
import type { Profile } from '../../profile.ts';

/** An account whose votes were cast. Their number isn’t listed: where one account has it, it would name the ballot in the archive. */
export type ListedVoter = { account: string; organisation: string };

/** Voters that the page of an election lists itself; longer lists are a file. */
const MAX_SHOWN = 300;

/** Until when those who voted are listed, by the bylaws as the profile has them; null while voting runs, after the end, and where they never are. */
export function listedUntil(
  { state, windows }: Pick<StaffElection, 'state' | 'windows'>,
  { votersListedDays }: Pick<Profile, 'votersListedDays'>,
  now: Date,
): string | null {
  if (state !== 'closed' || votersListedDays === 0) return null;
  const closedAt = Math.max(...windows.map(({ closesAt }) => Date.parse(closesAt)));
  const until = closedAt + votersListedDays * DAY_MS;
  return now.getTime() < until ? instantAfter(until, 0) : null;
}

/** Accounts that voted, in the order of their names: it says nothing of when. */
export const listVoted = (read: Pick<Read, 'rows'>, electionId: string): Promise<ListedVoter[]> =>
  read.rows<ListedVoter>(sql`select v.account_name as account, a.org_name as organisation from election_vote v join election e using (election_id) join account a using (account_name)
    where v.election_id = ${Number(electionId)} and v.generation = e.generation order by v.account_name`);

/** The list as a file: `account,organisation`. */
export const votersFile = (electionId: string, rows: ListedVoter[]) =>
  tableFile(
    `voters-${electionId}`,
    'csv',
    ['account', 'organisation'],
    (async function* () {
      yield rows;
    })(),
  );

/** The part of the page of an election that says who voted. */
export function votersPart(electionId: string, { rows, until }: { rows: readonly ListedVoter[]; until: string }): Content {
  const many = rows.length > MAX_SHOWN;
  return html`<section id="voters"><h2>Who voted</h2>
<p>${rows.length === 1 ? '1 account' : `${rows.length} accounts`}, in the order of their names, until ${until}. They are as many as the ballots of the archive; the table above has them by number of votes. An account that did not vote and is here tells the scrutineers. <a href="/elections/${electionId}/voters.csv">List as CSV</a></p>
${
  !many &&
  rows.length > 0 &&
  html`<details><summary>Show the list</summary><table><thead><tr><th scope="col">Account</th><th scope="col">Organisation</th></tr></thead>
<tbody>${rows.map(({ account, organisation }) => html`<tr><th scope="row">${account}</th><td><bdi>${organisation}</bdi></td></tr>`)}</tbody></table></details>`
}</section>`;
}
