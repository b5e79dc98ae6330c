import { electionKinds, type StaffElection } from '@portal/contract/elections/elections';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Database } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { type Content, html } from '../../platform/http/html.ts';
import { bar, publicPage, sendPage } from '../../platform/http/public-page.ts';
import type { Profile } from '../../profile.ts';
import { ballotOrderPart, objectionEnd, optionsOf, readBallotOrder, readElection } from '../elections/index.ts';
import { type BallotList, ballotLists } from './ballot-lists.ts';
import { type BallotState, readBallotState } from './ballot-state.ts';
import { countObjections, listCorrections } from './objections.ts';
import { jsonHash, readableWeights, type WeightClass } from './protocol.ts';
import { type ListedVoter, listedUntil, listVoted, votersFile, votersPart } from './voters-list.ts';

type Options = { db: Database; config: Config; profile: Profile; styleSheet: string; clock: () => Date };

/** The facts of an election that everyone sees beside its archive. */
type Shown = {
  election: StaffElection;
  state: BallotState;
  answers: { name: string; statement: string }[];
  classes: { votes: number; accounts: number; voted: number }[];
  ballots: BallotList;
  /** Voters whose choices every sum gives away, once voting is over. */
  readable: readonly WeightClass[];
  /** The hash of the parameters of the election, which is in each of its ballots; null before the setup. */
  fingerprint: string | null;
  noted: { height: number; hash: string; notedAt: string }[];
  objections: Awaited<ReturnType<typeof countObjections>> & { closesAt: string | null };
  corrections: Awaited<ReturnType<typeof listCorrections>>;
  /** Archives that had no ballot yet and were replaced, as an objection was upheld. */
  replaced: { uuid: string; hash: string; replacedAt: string }[];
  order: Awaited<ReturnType<typeof readBallotOrder>>;
  /** Whether voting goes on for as long as an objection held it up. */
  isExtended: boolean;
  /** Who voted, and until when they are listed; null where they are not. */
  voters: { rows: ListedVoter[]; until: string } | null;
};

const inWords = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const inUtc = (instant: string): string => `${inWords.format(new Date(instant)).replace('Sept', 'Sep').replace('Sept', 'Sep')} UTC`;
const numbers = new Intl.NumberFormat('en');
const number = (of: number): string => numbers.format(of);
const count = (of: number, noun: string): string => `${number(of)} ${noun}${of === 1 ? '' : 's'}`;

type ReadableOf = (electionId: string, classes: Shown['classes']) => readonly WeightClass[];

/** Elections whose readable classes are kept: a few numbers each. */
const MAX_KEPT = 1000;

/** The readable classes; none named beyond the votes for which classes are compared, so that the page is there all the same. */
function comparedWeights(voted: readonly WeightClass[]): readonly WeightClass[] {
  try {
    return readableWeights(voted);
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** Returns a function that finds the readable classes of an election once: they stay as voting is over, and anyone may ask for its page. Those of one class are the result. */
function readableClasses(): ReadableOf {
  const kept = new Map<string, readonly WeightClass[]>();
  return (electionId, classes) => {
    const known = kept.get(electionId);
    if (known) return known;
    const voted = classes.filter(each => each.voted > 0).map(({ votes, voted: ballots }) => ({ weight: votes, ballots }));
    const found = voted.length === 1 && voted[0]!.ballots > 1 ? [] : comparedWeights(voted);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(electionId, found);
    return found;
  };
}

async function readShown(
  db: Database,
  {
    electionId,
    page,
    now,
    listOf,
    readableOf,
    profile,
  }: { electionId: string; page: number; now: Date; listOf: ReturnType<typeof ballotLists>; readableOf: ReadableOf; profile: Profile },
): Promise<Shown | null> {
  try {
    const election = await readElection(db.read, electionId, now);
    if (election.ballots !== 'encrypted' || election.publishedAt === null) return null;
    const id = Number(electionId);
    const state = await readBallotState(db.read, electionId);
    if (!state.rollFixed) return null;
    const [answers, classes, noted, objections, corrections, replaced, order] = await Promise.all([
      optionsOf(db.read, electionId),
      db.read.rows<{
        votes: number;
        accounts: number;
        voted: number;
      }>(sql`select r.votes, count(*)::int as accounts, count(v.account_name)::int as voted
        from election_roll r left join election_vote v on v.election_id = r.election_id and v.account_name = r.account_name
        where r.election_id = ${id} group by r.votes order by r.votes`),
      db.read.rows<Shown['noted'][number]>(
        sql`select height, hash, noted_at from noted_event where election_id = ${id} order by height desc limit 48`,
      ),
      countObjections(db.read, electionId),
      listCorrections(db.read, electionId),
      db.read.rows<Shown['replaced'][number]>(
        sql`select uuid, hash, replaced_at from replaced_archive where election_id = ${id} order by replaced_at`,
      ),
      readBallotOrder(db.read, electionId),
    ]);
    const until = listedUntil(election, profile, now);
    const voters = until === null ? null : { rows: await listVoted(db.read, electionId), until: inUtc(until) };
    const fingerprint = state.parameters === null ? null : await jsonHash(state.parameters);
    const ballots = await listOf(electionId, state.end?.hash ?? '', page);
    const closesAt = objectionEnd(election, profile).closesAt;
    return {
      election,
      state,
      answers,
      classes,
      ballots,
      readable: state.tally === null ? [] : readableOf(electionId, classes),
      fingerprint,
      noted,
      objections: { ...objections, closesAt },
      corrections,
      replaced,
      order,
      isExtended: profile.heldUpVotingExtended,
      voters,
    };
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

/** How far an election is, in a sentence. */
function stageOf({ election: { state, windows, cancelReason }, state: { end, result }, objections, isExtended }: Shown): string {
  const votes = windows.filter(({ kind }) => kind === 'member-vote' || kind === 'proxy-vote');
  // Between the windows of members and proxies no one votes, and the archive is as it was.
  const vote = votes.find(each => each.state === 'open') ?? votes.find(each => each.state === 'not-yet-open') ?? votes[0]!;
  if (state === 'cancelled') return `This election is cancelled. ${cancelReason}`;
  if (objections.open > 0 && vote.state === 'closed' && !isExtended)
    return 'Voting is over. No ballot could be cast, as an objection to the roll wasn’t decided.';
  if (objections.open > 0 && vote.state !== 'not-yet-open') return 'Voting opens once all objections to the roll are decided.';
  if (result !== null) return 'All ballots are counted.';
  if (end?.kind === 'PartialDecryption') return 'Voting is over. Trustees are decrypting the sums.';
  if (vote.state === 'closed') return 'Voting is over. The ballots are being added up; the trustees then decrypt the sums.';
  const who = vote.kind === 'proxy-vote' ? ' of proxies' : '';
  return vote.state === 'open' ? `Voting${who} is open until ${inUtc(vote.closesAt)}.` : `Voting${who} opens on ${inUtc(vote.opensAt)}.`;
}

function resultTable({ election, answers, state: { result } }: Shown): Content {
  const votes = (place: number): number => result?.[place] ?? 0;
  const rows = [
    ...answers.map(({ name }, place) => ({ name, votes: votes(place + 1) })).toSorted((a, b) => b.votes - a.votes),
    { name: 'Blank ballots', votes: votes(0) },
  ];
  const most = Math.max(1, ...rows.map(row => row.votes));
  const first = (place: number): boolean => rows[place]!.votes > 0 && place < Math.min(election.seats ?? 1, answers.length);
  return html`<section><h2>Result</h2><table><thead><tr><th scope="col">${electionKinds[election.kind].seats ? 'Candidate' : 'Answer'}</th><th scope="col">Votes</th><th scope="col"><span class="away">Share</span></th></tr></thead>
<tbody>${rows.map((row, place) => html`<tr><th scope="row"><bdi>${row.name}</bdi></th><td>${number(row.votes)}</td><td>${bar(row.votes / most, first(place))}</td></tr>`)}</tbody></table></section>`;
}

/** Voters whose choices every sum gives away, by their votes: named before the sums are decrypted. */
function givenAway({ readable }: Shown): Content {
  if (readable.length === 0) return html``;
  const named = readable.map(
    ({ weight, ballots }) => `${ballots === 1 ? 'the voter' : `the ${number(ballots)} voters`} with ${count(weight, 'vote')}`,
  );
  return html`<p>Whatever the result is, the sums show how these voted: ${named.join(', ')}.</p>`;
}

function votersTable(shown: Shown): Content {
  const { classes, election } = shown;
  const isOver = election.state === 'closed';
  return html`<section><h2>Voters</h2><table class="counts"><thead><tr><th scope="col">Votes of an account</th><th scope="col">Accounts</th>${isOver && html`<th scope="col">Voted</th>`}</tr></thead>
<tbody>${classes.map(({ votes, accounts, voted }) => html`<tr><th scope="row">${votes}</th><td>${number(accounts)}</td>${isOver && html`<td>${number(voted)}</td>`}</tr>`)}</tbody></table>${givenAway(shown)}</section>`;
}

/** Objections to the roll, counted, and what they changed in it: their accounts are not named. */
function objectionList({ objections: { open, upheld, rejected, withdrawn, closesAt }, corrections, replaced }: Shown): Content {
  const made = open + upheld + rejected + withdrawn;
  return html`<section><h2>Objections to the roll</h2>
<p>${closesAt !== null && `Accounts can object to their entry until ${inUtc(closesAt)}. `}${made === 0 ? 'No objections.' : `${count(made, 'objection')}. No ballot is cast while one is open.`}</p>
${made > 0 && html`<dl class="rows"><div><dt>Open</dt><dd>${number(open)}</dd></div><div><dt>Upheld, and the roll corrected</dt><dd>${number(upheld)}</dd></div><div><dt>Rejected</dt><dd>${number(rejected)}</dd></div><div><dt>Withdrawn</dt><dd>${number(withdrawn)}</dd></div></dl>`}
${
  corrections.length > 0 &&
  html`<table><thead><tr><th scope="col">Correction of the roll</th><th scope="col">Accounts</th></tr></thead>
<tbody>${corrections.map(({ before, after, accounts }) => html`<tr><th scope="row">${before === null ? `Missing, and put on it with ${count(after, 'vote')}` : `From ${before} to ${count(after, 'vote')}`}</th><td>${number(accounts)}</td></tr>`)}</tbody></table>`
}
${replaced.length > 0 && html`<details><summary>Archives without ballots that were replaced</summary><dl class="rows">${replaced.map(each => html`<div><dt>${inUtc(each.replacedAt)}, <span class="mono">${each.uuid}.bel</span></dt><dd class="mono">${each.hash}</dd></div>`)}</dl></details>`}</section>`;
}

/** Who can read the sums. */
function secrecy({ state: { threshold, trustees, authorityName } }: Shown): Content {
  const names = trustees.map(({ fullName }) => fullName).join(', ');
  return html`<section><h2>Secrecy</h2><dl class="rows">
<div><dt>Decryption</dt><dd>The registry and ${threshold === null ? `all of ${names}` : `${threshold} of ${names}`}. They decrypt sums, never a ballot</dd></div>
<div><dt>Credentials</dt><dd>Made by ${authorityName}, who is not of the registry</dd></div></dl></section>`;
}

/** How anyone checks the count. */
function proofs({ election: { electionId }, state, ballots, fingerprint, noted }: Shown, appUrl: string): Content {
  const { uuid, end } = state;
  const commands = [
    'apt-get install belenios-tool curl',
    `curl -o ${uuid}.bel ${appUrl}/elections/${electionId}/archive`,
    'belenios-tool election verify',
    'belenios-tool election compute-ballot-summary',
    `node packages/ballots/bin/verify.ts ${uuid}.bel --trackers`,
  ];
  return html`<section><h2>Check the count</h2>
<p>The <a href="/elections/${electionId}/archive">archive</a> has every ballot, encrypted, and all proofs. It only grows: keep the last hash, and compare.</p>
<dl class="rows"><div><dt>Archive</dt><dd class="mono">${uuid}.bel</dd></div>
<div><dt>Election hash</dt><dd class="mono">${fingerprint}</dd></div>
<div><dt>Size</dt><dd>${count(end!.bytes, 'byte')}, ${count(end!.height + 1, 'event')}</dd></div>
<div><dt>Last hash</dt><dd class="mono">${end!.hash}</dd></div></dl>
${noted.length > 0 && html`<details><summary>Hashes noted each hour</summary><dl class="rows">${noted.map(each => html`<div><dt>${inUtc(each.notedAt)}, event ${each.height}</dt><dd class="mono">${each.hash}</dd></div>`)}</dl></details>`}
<p>Verify it on your own computer, with a program that isn’t ours; the last command is ours, in a clone of our sources, and needs no server:</p>
<ol class="names mono">${commands.map(command => html`<li>${command}</li>`)}</ol></section>
${ballotList(electionId, ballots)}`;
}

/** The trackers of one page, with the beginnings of the others: they are in order. */
function ballotList(electionId: string, { count: all, page, starts, trackers }: BallotList): Content {
  const many = starts.length > 1;
  const shows = 'it shows that your ballot is in the archive, not what is in it.';
  const words =
    all === 0
      ? 'No ballots yet. The tracker of each appears here when it is cast.'
      : many
        ? `${count(all, 'ballot')} in the archive, in the order of their trackers: digits, capitals, small letters. Each page is named by its first tracker. Find yours, or look for it on the page where you voted: ${shows}`
        : `${count(all, 'ballot')} in the archive. Find your tracker with the search of your browser, or on the page where you voted: ${shows}`;
  const pages = html`<nav aria-label="Pages of trackers"><p class="mono">${starts.map((start, at) => html`${at > 0 && ' '}${at + 1 === page ? html`<b aria-current="page">${start.slice(0, 3)}…</b>` : html`<a href="/elections/${electionId}?page=${at + 1}#ballots">${start.slice(0, 3)}…</a>`}`)}</p></nav>`;
  return html`<section id="ballots"><h2>Ballots</h2>
<p>${words}</p>
${many && pages}${trackers.length > 0 && html`<ul class="names mono">${trackers.map(tracker => html`<li>${tracker}</li>`)}</ul>`}</section>`;
}

/** `/elections/{election}`: the election for everyone, from its publication on: voters by votes, trustees, trackers, how it is verified, and its result. */
export function electionPage(app: FastifyInstance, { db, config, profile, styleSheet, clock }: Options): void {
  const page = publicPage({ profile, area: 'Elections', styleSheet });
  const back = html`<p><a href="${config.appUrl}/voting">Voting in the portal</a></p>`;
  const answer = (reply: FastifyReply, status: number, title: string, main: Content): FastifyReply =>
    sendPage(reply, status, page(title, main));

  const listOf = ballotLists(db.read);
  const readableOf = readableClasses();

  app.get('/elections/:electionId/voters.csv', async (request, reply) => {
    const { electionId } = request.params as { electionId: string };
    const shown = await readShown(db, { electionId, page: 1, now: clock(), listOf, readableOf, profile });
    if (!shown?.voters) return reply.code(404).type('text/plain; charset=utf-8').send('Who voted in this election is not listed now.\n');
    const { fileName, contentType, chunks } = votersFile(electionId, shown.voters.rows);
    return reply
      .header('content-disposition', `attachment; filename="${fileName}"`)
      .type(contentType)
      .send(Readable.from(chunks, { objectMode: false }));
  });

  app.get('/elections/:electionId', async (request, reply) => {
    const { electionId } = request.params as { electionId: string };
    const asked = Number((request.query as { page?: unknown }).page ?? 1);
    const shown = await readShown(db, { electionId, page: Number.isInteger(asked) ? asked : 1, now: clock(), listOf, readableOf, profile });
    if (!shown)
      return answer(
        reply,
        404,
        'Election not found',
        html`<p>${profile.registryName} has no encrypted ballots of this election.</p>${back}`,
      );
    const { election, answers, state } = shown;
    return answer(
      reply,
      200,
      election.title,
      html`<p>${stageOf(shown)}</p>${election.description !== '' && html`<p>${election.description}</p>`}
${state.result !== null && resultTable(shown)}
${state.result === null && html`<section><h2>${electionKinds[election.kind].seats ? 'Candidates' : 'Answers'}</h2><ol class="names">${answers.map(({ name, statement }) => html`<li><b><bdi>${name}</bdi></b>${statement !== '' && html`<span>${statement}</span>`}</li>`)}</ol></section>`}
${ballotOrderPart(shown.order, electionId)}${votersTable(shown)}${shown.voters !== null && votersPart(electionId, shown.voters)}${objectionList(shown)}${secrecy(shown)}${state.setUpAt !== null && proofs(shown, config.appUrl)}${back}`,
    );
  });
}
