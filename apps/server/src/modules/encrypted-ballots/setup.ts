import type { AnswerOf } from '@portal/contract';
import type { encryptedBallotSetup } from '@portal/contract/encrypted-ballots/setup';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { readApart, senderOf } from '../../platform/reading-apart.ts';
import type { Registry } from '../../platform/registry.ts';
import { lockElection, readElection, rollFixedAt, tooLittleToObject } from '../elections/index.ts';
import { appendToArchive } from './archive.ts';
import { lockBallotState, readBallotState } from './ballot-state.ts';
import { countObjections } from './objections.ts';
import { notReady } from './refused.ts';
import { registryKeys } from './registry-key.ts';
import type { read as setUpApart, SetupTask, SetupTexts } from './setup-thread.ts';
import { ballotStatus } from './setup-status.ts';
import { setupThread } from './threads.ts';

type SettingUp = Act<typeof encryptedBallotSetup.setUpBallot>;
const apart = readApart<typeof setUpApart>(new URL('./setup-thread.ts', import.meta.url), setupThread);

/** All that the archive is made of, without the key of the registry. */
type Given = Omit<SetupTask, 'registryKey' | 'administrator'>;

/**
 * Reads what the archive of an election is made of. @throws Failure NOT_FOUND, BALLOT_SET_UP, BALLOT_NOT_READY with all that is missing
 */
async function readGiven(read: Read, electionId: string, { now, profile }: Pick<Registry, 'now' | 'profile'>): Promise<Given> {
  const state = await readBallotState(read, electionId);
  if (state.setUpAt !== null) throw refuse('BALLOT_SET_UP');
  const election = await readElection(read, electionId, now);
  const id = Number(electionId);
  const [{ open: objections }, [facts], answers] = await Promise.all([
    countObjections(read, electionId),
    read.rows<{ fixed: boolean; credentials: string | null; differs: boolean }>(sql`
      select e.roll_frozen_at is not null as fixed,
        (select string_agg(c.credential || ' ' || c.votes, chr(10) order by c.credential_hash) from ballot_credential c where c.election_id = e.election_id) as credentials,
        exists ((select votes, count(*) from election_roll where election_id = ${id} group by votes except select votes, count(*) from ballot_credential where election_id = ${id} group by votes)
          union all (select votes, count(*) from ballot_credential where election_id = ${id} group by votes except select votes, count(*) from election_roll where election_id = ${id} group by votes)) as differs
      from election e where e.election_id = ${id}`),
    read.rows<{ name: string }>(sql`select name from election_option where election_id = ${id} order by place`),
  ]);
  const vote = election.windows.find(({ kind }) => kind === 'member-vote');
  // Of a draft it is seen as it is published.
  const short =
    election.publishedAt === null
      ? null
      : tooLittleToObject(
          election,
          { fixedAt: (await rollFixedAt(read, electionId)) ?? now.toISOString(), publishedAt: election.publishedAt },
          profile,
        );
  const names = answers.map(({ name }) => name);
  const missing = [
    (!vote || vote.state === 'closed' || election.state === 'cancelled') && 'there is no voting of members to come',
    names.length < 2 && 'the ballot has fewer than two candidates or answers',
    new Set(names).size < names.length && 'two candidates or answers have the same name',
    !facts!.fixed && 'the roll isn’t fixed',
    short ?? false,
    objections > 0 &&
      `${objections === 1 ? 'an objection' : `${objections} objections`} to the roll ${objections === 1 ? 'isn’t' : 'aren’t'} decided`,
    (facts!.credentials === null || facts!.differs) && 'the credential authority hasn’t sent the credentials of the roll',
    state.trusteeKeys === null && 'the trustees haven’t made the key',
  ].filter(each => typeof each === 'string');
  if (missing.length > 0) throw notReady(missing.join('; '));
  return {
    uuid: state.uuid,
    name: election.title,
    description: election.description,
    answers: names,
    most: Math.min(election.seats ?? 1, names.length),
    credentialAuthority: state.authorityName,
    trusteeKeys: state.trusteeKeys!,
    credentials: facts!.credentials!,
  };
}

/** Makes the setup in a thread, before its change. @throws Failure NOT_FOUND, BALLOT_SET_UP, BALLOT_NOT_READY */
export async function prepareSetup({
  read,
  caller,
  params: { electionId },
  registry,
}: Omit<SettingUp, 'change'> & { read: Read }): Promise<{ given: Given; texts: SetupTexts }> {
  const { config, profile } = registry;
  const given = await readGiven(read, electionId, registry);
  const [registryKey] = registryKeys(config, given.uuid);
  const texts = await apart(senderOf({ caller }), { ...given, registryKey: registryKey!, administrator: profile.registryName }, 'body');
  return { given, texts };
}

/**
 * Begins the archive of an election. Its questions, keys, credentials and roll stay as they are from then on.
 * @throws Failure NOT_FOUND, BALLOT_SET_UP, BALLOT_NOT_READY, also where something has changed since it was prepared
 */
export async function setUpBallot(
  { change, params: { electionId }, registry }: SettingUp,
  { given, texts }: Awaited<ReturnType<typeof prepareSetup>>,
): Promise<AnswerOf<typeof encryptedBallotSetup.setUpBallot>> {
  const now = new Date(change.now);
  await lockElection(change, electionId, now);
  const { title } = await lockBallotState(change, electionId);
  if (JSON.stringify(await readGiven(change, electionId, { now, profile: registry.profile })) !== JSON.stringify(given))
    throw notReady('something was changed at the same moment. Look at it, and try again');
  const [parameters, trustees] = texts;
  const id = Number(electionId);
  await change.rows(sql`update encrypted_ballot set parameters = ${parameters}, trustees = ${trustees} where election_id = ${id}`);
  const tip = await appendToArchive(change, { electionId, setUpAt: change.now }, 'Setup', texts);
  await change.rows(sql`update election set set_up_at = ${change.now}::timestamptz, version = version + 1 where election_id = ${id}`);
  await change.note({ election: title, uuid: given.uuid, archive: tip.hash });
  return ballotStatus(change, electionId, registry);
}
