import type { AnswerOf } from '@portal/contract';
import { windowKinds } from '@portal/contract/elections/election-windows';
import {
  type ElectionProblem,
  type ElectionValues,
  type elections,
  missingForPublishing,
  type StaffElection,
  unsuitedToEncrypted,
} from '@portal/contract/elections/elections';
import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import { refuse, refuseFields, refuseWithCurrent } from '../../platform/failure.ts';
import { type Act, SecondPersonNeeded } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import { drawSeed } from './ballot-order.ts';
import { lockElection, readElection, readElections, wasSetUp } from './election-row.ts';
import { objectionEnd, rollFixedAt, tooLittleToObject } from './objection-time.ts';
import { freezeIfDue } from './roll.ts';

/** Elections of any state, the newest first. */
export async function listElections({
  read,
  query: { offset, limit },
  registry: { now },
}: Act<typeof elections.listElections>): Promise<AnswerOf<typeof elections.listElections>> {
  const [rows, [counted]] = await Promise.all([
    readElections(read, sql`order by election.election_id desc limit ${limit} offset ${offset}`, now),
    read.rows<{ total: number }>(sql`select count(*)::int as total from election`),
  ]);
  return { rows, total: counted!.total };
}

/** One election of any state. @throws Failure NOT_FOUND */
export const getElection = ({
  read,
  params: { electionId },
  registry: { now },
}: Act<typeof elections.getElection>): Promise<StaffElection> => readElection(read, electionId, now);

/** Creates a draft election, invisible to members. @throws Failure NOT_FOUND for the conference */
export async function addElection({
  change,
  body: values,
}: {
  change: Change;
  body: ElectionValues & Partial<Pick<StaffElection, 'ballots'>>;
}): Promise<StaffElection> {
  const { windows, ...row } = values;
  await requireConference(change, row.conference);
  const { electionId } = await change
    .insertInto('election')
    .values({ ...row, createdAt: change.now })
    .returning('electionId')
    .executeTakeFirstOrThrow();
  await writeWindows(change, Number(electionId), windows);
  await change.note({ election: values.title, kind: values.kind });
  return readElection(change, String(electionId), new Date(change.now));
}

/**
 * Changes an election. In a published one, started windows keep their start, past ones stay, and the subject of the vote is fixed while voting is open.
 * @throws Failure NOT_FOUND, STALE with the present election, ELECTION_OVER, ELECTION_NOT_READY, ELECTION_BEGUN
 * @throws SecondPersonNeeded for one that is published
 */
export async function changeElection({
  change,
  params: { electionId },
  body: { version, ...values },
  hasSecondPerson,
  registry: { profile },
}: Act<typeof elections.changeElection>): Promise<StaffElection> {
  const now = new Date(change.now);
  const before = await lockCurrent(change, electionId, version);
  await requireConference(change, values.conference);
  const unsuited = before.ballots === 'encrypted' ? unsuitedToEncrypted(values) : [];
  if (unsuited.length > 0) throw refuseFields(unsuited);
  if (
    (['kind', 'title', 'description', 'seats'] as const).some(field => values[field] !== before[field]) &&
    (await wasSetUp(change, electionId))
  )
    throw refuse('ELECTION_BEGUN', { why: 'The encrypted ballot is set up with this kind, title, description and number of seats' });
  if (before.state !== 'draft') {
    const begun = [...problemsOfAnnounced(before, values, now), ...(await problemsOfObjecting(change, before, values, profile))];
    if (begun.length > 0) throw refuse('ELECTION_BEGUN', { why: sentences(begun) });
    const missing = missingForPublishing(values);
    if (missing.length > 0) throw refuse('ELECTION_NOT_READY', { why: sentences(missing) });
  }
  const { windows, ...row } = values;
  await change
    .updateTable('election')
    .set({ ...row, version: version + 1 })
    .where('electionId', '=', Number(electionId))
    .execute();
  await change.deleteFrom('electionWindow').where('electionId', '=', Number(electionId)).execute();
  await writeWindows(change, Number(electionId), windows);
  if (before.publishedAt !== null && nominatesHere(values)) await drawSeed(change, electionId);
  await freezeIfDue(change, await readElection(change, electionId, now), profile);
  const after = await readElection(change, electionId, now);
  const fields = (Object.keys(values) as (keyof ElectionValues)[]).filter(field => said(before, field) !== said(after, field));
  const part = (election: StaffElection) => Object.fromEntries(fields.map(field => [field, election[field]]));
  await change.note({ election: after.title, before: part(before), after: part(after) });
  if (before.state !== 'draft' && !hasSecondPerson) throw new SecondPersonNeeded();
  return after;
}

/**
 * Publishes an election to its voters. Only before its voting opens, so that no voter finds a running election; one with encrypted ballots while accounts have the time to object to its roll.
 * @param publishedAt time of publication, which the demo registry sets in the past.
 * @param registry may be left out where ballots are plain
 * @throws Failure NOT_FOUND, STALE with the present election, ELECTION_OVER, ELECTION_NOT_READY
 */
export async function publishElection({
  change,
  params: { electionId },
  body: { version },
  publishedAt: now = new Date(change.now),
  registry,
}: {
  change: Change;
  params: { electionId: string };
  body: { version: number };
  publishedAt?: Date;
  registry?: Pick<Registry, 'profile'>;
}): Promise<StaffElection> {
  const election = await lockCurrent(change, electionId, version, now);
  const problems = missingForPublishing(election);
  for (const window of election.windows)
    if (window.kind !== 'nomination' && window.state !== 'not-yet-open')
      problems.push({
        field: `windows.${window.kind}.opensAt`,
        message: `${windowKinds[window.kind]} would start before it’s announced`,
      });
  // Nominees of the portal are added to the ballot later.
  const nominated = nominatesHere(election);
  if (election.ballots === 'encrypted' && election.setUpAt === null && !nominated)
    problems.push({ field: 'windows', message: 'Set up the encrypted ballot first: its roll, credentials and keys' });
  if (election.ballots === 'encrypted') {
    if (!registry) throw new Error('An election with encrypted ballots is published by the policy of the registry');
    const seen = { fixedAt: await rollFixedAt(change, electionId), publishedAt: now.toISOString() };
    const short = tooLittleToObject(election, seen, registry.profile);
    if (short !== null) problems.push({ field: 'windows', message: short });
  }
  if (!nominated && election.windows.some(({ kind, url }) => url === '' && ownBallotKinds.includes(kind))) {
    const [options] = await change.rows<{ count: number }>(
      sql`select count(*)::int as count from election_option where election_id = ${Number(electionId)}`,
    );
    if (options!.count < 2)
      problems.push({
        field: 'windows',
        message: 'Enter at least two candidates or answers for the ballot, or the address of a voting system',
      });
  }
  if (problems.length > 0) throw refuse('ELECTION_NOT_READY', { why: sentences(problems) });
  await change
    .updateTable('election')
    .set({ state: 'published', publishedAt: now.toISOString(), version: version + 1 })
    .where('electionId', '=', Number(electionId))
    .execute();
  if (nominated) await drawSeed(change, electionId);
  await change.note({ election: election.title });
  if (registry) await freezeIfDue(change, await readElection(change, electionId, now), registry.profile);
  return readElection(change, electionId, now);
}

/**
 * Cancels an election that isn't over; everyone who saw it sees the reason.
 * @throws Failure NOT_FOUND, STALE with the present election, ELECTION_OVER
 */
export async function cancelElection({
  change,
  params: { electionId },
  body: { version, reason },
}: Act<typeof elections.cancelElection>): Promise<StaffElection> {
  const election = await lockCurrent(change, electionId, version);
  await change
    .updateTable('election')
    .set({ state: 'cancelled', cancelledAt: change.now, cancelReason: reason, version: version + 1 })
    .where('electionId', '=', Number(electionId))
    .execute();
  await change.note({ election: election.title, reason });
  return readElection(change, electionId, new Date(change.now));
}

export async function lockCurrent(
  change: Change,
  electionId: string,
  version: number,
  now: Date = new Date(change.now),
): Promise<StaffElection> {
  const election = await lockElection(change, electionId, now);
  // Its state is more informative than the fact that it was changed.
  if (election.state === 'cancelled') throw refuse('ELECTION_OVER', { state: 'cancelled' });
  if (election.version !== version) throw refuseWithCurrent(election, 'STALE', { what: 'the election' });
  return election;
}

async function requireConference(change: Change, conference: string | null): Promise<void> {
  if (conference === null) return;
  const found = await change.selectFrom('conference').select('conference').where('conference', '=', conference).executeTakeFirst();
  if (!found) throw refuse('NOT_FOUND', { what: `The conference ${conference}` });
}

async function writeWindows(change: Change, electionId: number, windows: ElectionValues['windows']): Promise<void> {
  if (windows.length === 0) return;
  await change
    .insertInto('electionWindow')
    // Proxies are appointed in the portal only.
    .values(windows.map(window => ({ electionId, ...window, url: window.kind === 'proxy-appoint' ? '' : window.url })))
    .execute();
}

/** Whether people are nominated in the portal. */
const nominatesHere = ({ windows }: Pick<ElectionValues, 'windows'>): boolean =>
  windows.some(({ kind, url }) => kind === 'nomination' && url === '');

/** Windows that use the registry’s own ballots without an address. */
const ownBallotKinds: readonly string[] = ['member-vote', 'proxy-vote', 'attendee-vote'];
const sentences = (problems: readonly ElectionProblem[]): string => problems.map(({ message }) => message).join('. ');
const same = (a: string, b: string): boolean => Date.parse(a) === Date.parse(b);
/** Returns a field's value for comparison: for windows without their state. */
const said = (election: StaffElection, field: keyof ElectionValues): string =>
  JSON.stringify(
    field === 'windows' ? election.windows.map(({ kind, opensAt, closesAt, url }) => [kind, opensAt, closesAt, url]) : election[field],
  );

/** Returns the problem with changing a published election with encrypted ballots, where voting would open sooner than accounts can object to it. */
async function problemsOfObjecting(
  change: Change,
  before: StaffElection,
  after: ElectionValues,
  profile: Registry['profile'],
): Promise<ElectionProblem[]> {
  if (before.ballots !== 'encrypted' || before.publishedAt === null) return [];
  const [was, is] = [before, after].map(each => objectionEnd(each, profile).opensAt);
  if (!was || !is || Date.parse(is) >= Date.parse(was)) return [];
  const seen = { fixedAt: (await rollFixedAt(change, before.electionId)) ?? change.now, publishedAt: before.publishedAt };
  const short = tooLittleToObject(after, seen, profile);
  return short === null ? [] : [{ field: 'windows', message: short }];
}

/** Returns the problems with changing a published election: announced values and started windows. */
function problemsOfAnnounced(before: StaffElection, after: ElectionValues, now: Date): ElectionProblem[] {
  const problems: ElectionProblem[] = [];
  const problem = (field: string, message: string) => problems.push({ field, message });
  if (after.kind !== before.kind) problem('kind', 'The kind of election can’t be changed');
  for (const window of before.windows.filter(({ state }) => state !== 'not-yet-open')) {
    const words = windowKinds[window.kind];
    const next = after.windows.find(({ kind }) => kind === window.kind);
    if (!next) problem('windows', `${words} has started and can’t be changed`);
    else if (!same(next.opensAt, window.opensAt)) problem('windows', `${words} has started, so its opening time can’t be changed`);
    else if (window.state === 'closed' && !same(next.closesAt, window.closesAt))
      problem('windows', `${words} is over, so its closing time can’t be changed`);
    else if (window.state === 'open' && Date.parse(next.closesAt) <= now.getTime())
      problem('windows', `${words} is open and can’t close in the past`);
  }
  for (const next of after.windows) {
    const window = before.windows.find(({ kind }) => kind === next.kind);
    if ((!window || window.state === 'not-yet-open') && Date.parse(next.opensAt) <= now.getTime())
      problem('windows', `${windowKinds[next.kind]} can’t open in the past`);
  }
  const voted = before.windows.some(({ kind, state }) => kind !== 'nomination' && kind !== 'proxy-appoint' && state !== 'not-yet-open');
  if (voted && (after.seats !== before.seats || after.maxSelections !== before.maxSelections))
    problem('seats', 'Seats and selections can’t be changed once voting starts');
  const cutOffStays =
    before.registrationCutOff === null || after.registrationCutOff === null
      ? before.registrationCutOff === after.registrationCutOff
      : same(before.registrationCutOff, after.registrationCutOff);
  if (voted && (after.conference !== before.conference || !cutOffStays))
    problem('conference', 'The conference and registration deadline can’t be changed once voting starts');
  return problems;
}
