import type { StaffElection } from '@portal/contract/elections/elections';
import { sql } from 'kysely';
import { type Database, ownActivity } from '../../platform/database/index.ts';
import { eachAlone, stepsAlone } from '../../platform/each-alone.ts';
import type { Registry } from '../../platform/registry.ts';
import { activeContacts, lockAccount } from '../accounts/index.ts';
import { notifyPeople } from '../identity/index.ts';
import { sendMail } from '../mail/index.ts';
import { accountInElections } from './roll.ts';
import { electionsTexts } from './mail-texts.ts';

/** Notifies the contacts of accounts whose votes were cast since the last run, and attendees who voted. Each vote is announced once. */
export const announceVotes = (db: Database): Promise<void> =>
  stepsAlone({ announceAttendees: () => announceAttendees(db), announceMembers: () => announceMembers(db) });

/** Notifies the contacts of accounts whose votes were cast since the last run. */
async function announceMembers(db: Database): Promise<void> {
  const due = await db.read.rows<{ electionId: string; generation: number; accountName: string }>(
    sql`select election_id::text as election_id, generation, account_name from election_vote where notified_at is null order by cast_at limit 2000`,
  );
  await eachAlone(
    due,
    ({ electionId, accountName }) => `vote of ${accountName} in election ${electionId}`,
    ({ electionId, generation, accountName }) =>
      db.change(ownActivity('elections.announceVote', 'Notified an account of its vote', accountName), async change => {
        const [vote] = await change.rows<{ voterName: string; votes: number; title: string }>(sql`
        update election_vote v set notified_at = ${change.now}::timestamptz from election e
        where e.election_id = v.election_id and v.election_id = ${Number(electionId)} and v.generation = ${generation} and v.account_name = ${accountName}
          and v.notified_at is null returning v.voter_name, v.votes, e.title`);
        if (!vote) return;
        const { voterName, votes, title } = vote;
        await notifyPeople(
          change,
          {
            topic: 'elections.votes',
            accountName,
            text: electionsTexts.written('voted', { accountName, title, voter: voterName, votes }),
            path: '/voting/history',
            act: 'View voting history',
          },
          await activeContacts(change, accountName, { permission: 'voting-vote' }),
        );
      }),
  );
}

/** Notifies attendees whose votes were cast since the last run. Each is announced once. */
async function announceAttendees(db: Database): Promise<void> {
  const due = await db.read.rows<{ electionId: string; generation: number; loginId: string }>(
    sql`select election_id::text as election_id, generation, login_id from attendee_vote where notified_at is null order by cast_at limit 2000`,
  );
  await eachAlone(
    due,
    ({ electionId, loginId }) => `vote of login ${loginId} in election ${electionId}`,
    ({ electionId, generation, loginId }) =>
      db.change(ownActivity('elections.announceVote', 'Notified an attendee of their vote'), async change => {
        const [vote] = await change.rows<{ title: string; fullName: string; email: string }>(sql`
        update attendee_vote v set notified_at = ${change.now}::timestamptz from election e, login l
        where e.election_id = v.election_id and l.login_id = v.login_id and v.election_id = ${Number(electionId)} and v.generation = ${generation}
          and v.login_id = ${loginId} and v.notified_at is null returning e.title, l.full_name, l.email`);
        if (!vote) return;
        await notifyPeople(
          change,
          {
            topic: 'elections.votes',
            accountName: null,
            text: electionsTexts.written('youVoted', { title: vote.title }),
            path: '/voting/history',
            act: 'View voting history',
          },
          [{ loginId, fullName: vote.fullName, email: vote.email }],
        );
      }),
  );
}

/** Asks proxies to vote once their window has opened, each once. They sign in: the link alone opens nothing. Outside voting systems need a shared secret. */
export async function inviteProxies({ db, now, config, box }: Pick<Registry, 'db' | 'now' | 'config' | 'box'>): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`;
  type Due = {
    proxyId: number;
    accountName: string;
    electionId: string;
    fullName: string;
    email: string;
    title: string;
    ballots: StaffElection['ballots'];
    closesAt: string;
  };
  const due = await db.read.rows<Due>(sql`
    select p.election_proxy_id::int as proxy_id, p.account_name, p.election_id::text as election_id, p.full_name, p.email, e.title, e.ballots, w.closes_at
    from election_proxy p join election e using (election_id) join election_window w on w.election_id = e.election_id and w.kind = 'proxy-vote'
    where p.state = 'active' and p.invited_at is null and e.state = 'published' and w.opens_at <= ${at} and w.closes_at > ${at}
      and (w.url = '' or ${config.votingSystemSecret !== ''}) limit 500`);
  await eachAlone(
    due,
    ({ proxyId, accountName }) => `proxy ${proxyId} of ${accountName}`,
    ({ proxyId, accountName, electionId, fullName, email, title, ballots, closesAt }) =>
      db.change(ownActivity('elections.inviteProxy', 'Sent a proxy the way to the ballot', accountName), async change => {
        await lockAccount(change, accountName);
        const invited = await change
          .updateTable('electionProxy')
          .set({ invitedAt: change.now })
          .where('electionProxyId', '=', proxyId)
          .where('state', '=', 'active')
          .where('invitedAt', 'is', null)
          .returning('electionProxyId')
          .executeTakeFirst();
        const votes = (await accountInElections(change, accountName, [electionId])).get(electionId)?.votes ?? null;
        if (!invited || votes === null) return;
        const code = ballots === 'encrypted' ? ', and have the voting code ready that the credential authority sent you' : '';
        await sendMail(
          change,
          {
            topic: 'elections.votes',
            recipient: email,
            recipientName: fullName,
            text: electionsTexts.written('voteProxy', { accountName, title, until: closesAt.slice(0, 16).replace('T', ' '), votes, code }),
            act: 'Vote as a proxy',
            link: `${config.appUrl}/voting/proxy-votes/${proxyId}`,
          },
          box,
        );
      }),
  );
}
