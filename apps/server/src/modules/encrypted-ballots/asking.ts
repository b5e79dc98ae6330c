import type { TrusteeStep } from '@portal/contract/encrypted-ballots/setup';
import { eachAlone } from '../../platform/each-alone.ts';
import { DAY_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Change, type Database, ownActivity } from '../../platform/database/index.ts';
import { notifyPeople } from '../identity/index.ts';
import { type BallotState, lockBallotState, nextStep, readBallotState } from './ballot-state.ts';
import { awaitsCredentials } from './duties.ts';
import { encryptedBallotsTexts } from './mail-texts.ts';

/** Time after being asked at which someone is reminded: first, and again. */
const reminderMs = [DAY_MS, 3 * DAY_MS] as const;

/** Words of a mail, by the step that it asks for. */
const words: Record<TrusteeStep | 'credentials' | 'corrected' | 'proxies', { subject: string; ask: string }> = {
  corrected: {
    subject: 'Make new voting codes',
    ask: 'An objection to the roll was upheld. Take the corrected roll, make new voting codes, send the public part of the list, and mail the codes again. Those that were made before don’t work any more.',
  },
  credentials: {
    subject: 'Make the voting codes',
    ask: 'The roll is fixed. Make a voting code for each account on it, and send the public part of the list.',
  },
  proxies: {
    subject: 'Send the voting codes of proxies',
    ask: 'Proxies can’t be appointed or revoked any more. Send the codes of accounts that appointed one to their proxies.',
  },
  key: {
    subject: 'Make your part of the key',
    ask: 'You are a trustee. Make your part of the key, and keep its file: without it you can’t help to count.',
  },
  certificate: {
    subject: 'Make your part of the key',
    ask: 'You are a trustee. Make your part of the key, and keep its file: without it you can’t help to count.',
  },
  polynomial: {
    subject: 'Continue with your part of the key',
    ask: 'All trustees have sent the first message. The second needs the file that you kept.',
  },
  share: {
    subject: 'Complete your part of the key',
    ask: 'All trustees have sent the second message. The last one needs the file that you kept.',
  },
  decryption: {
    subject: 'Decrypt the result',
    ask: 'Voting is over, and the count has started. Decrypt the sums with the file that you kept.',
  },
};

type Asked = { step: TrusteeStep | 'credentials' | 'proxies'; loginId: string; fullName: string; email: string; reminder: number };

/** How often someone is reminded by now, who was asked then. */
const remindersBy = (askedAt: string, now: Date): number => reminderMs.filter(after => now.getTime() - Date.parse(askedAt) >= after).length;

/**
 * Asks the credential authority and the trustees of encrypted ballots by mail for what is expected of them now, once, and reminds them after one and after three days. Safe to run again.
 */
export async function askAppointed(db: Database, now: Date): Promise<void> {
  const open = await db.read.rows<{
    electionId: string;
  }>(sql`select b.election_id::text as election_id from encrypted_ballot b join election e using (election_id)
    where e.state <> 'cancelled' and b.result is null and (b.parameters is null or b.decryption is not null or ${awaitsProxies(now)}) order by b.election_id`);
  await eachAlone(
    open,
    ({ electionId }) => `election ${electionId}`,
    async ({ electionId }) => {
      const state = await readBallotState(db.read, electionId);
      const [proxies] = await db.read.rows(
        sql`select 1 as proxies from encrypted_ballot b where b.election_id = ${Number(electionId)} and ${awaitsProxies(now)}`,
      );
      if (!proxies && !isAnyoneDue(state, now)) return;
      await db.change(
        ownActivity('encryptedBallots.askAppointed', 'Asked those appointed for an election for what is missing'),
        async change => {
          const current = await lockBallotState(change, electionId);
          const asked = [
            ...(await askAuthority(change, current, now)),
            ...(await askForProxies(change, current, now)),
            ...(await askTrustees(change, current, now)),
          ];
          for (const each of asked) await mailTo(change, current, each);
          await change.note({
            election: current.title,
            asked: asked.map(({ fullName, step, reminder }) => ({ fullName, step, reminder })),
          });
        },
      );
    },
  );
}

/** SQL: the credential authority of ballot `b` is to send codes to proxies: their appointment has closed, and it was not asked yet. */
const awaitsProxies = (now: Date) => sql<boolean>`(b.proxies_asked_at is null and b.parameters is not null
  and exists (select from election_proxy p where p.election_id = b.election_id and p.state = 'active')
  and exists (select from election_window w where w.election_id = b.election_id and w.kind = 'proxy-appoint' and w.closes_at <= ${now.toISOString()}::timestamptz))`;

async function askForProxies(
  change: Change,
  { electionId, authority, authorityName, authorityEmail }: BallotState,
  now: Date,
): Promise<Asked[]> {
  const asked = await change.rows(sql`update encrypted_ballot b set proxies_asked_at = ${now.toISOString()}::timestamptz
    where b.election_id = ${Number(electionId)} and ${awaitsProxies(now)} returning b.election_id`);
  return asked.map(() => ({ step: 'proxies', loginId: authority, fullName: authorityName, email: authorityEmail, reminder: 0 }));
}

const isDue = (asked: { step: string | null; at: string | null; reminders: number }, step: string, now: Date): boolean =>
  asked.at === null || asked.step !== step || remindersBy(asked.at, now) > asked.reminders;

function isAnyoneDue(state: BallotState, now: Date): boolean {
  if (awaitsCredentials(state) && isDue({ step: 'credentials', at: state.askedAt, reminders: state.reminders }, 'credentials', now))
    return true;
  return state.trustees.some(each => {
    const step = nextStep(state, each);
    return step !== null && isDue({ step: each.askedStep, at: each.askedAt, reminders: each.reminders }, step, now);
  });
}

async function askAuthority(change: Change, state: BallotState, now: Date): Promise<Asked[]> {
  const { electionId, askedAt, reminders, authority, authorityName, authorityEmail } = state;
  if (!awaitsCredentials(state) || !isDue({ step: 'credentials', at: askedAt, reminders }, 'credentials', now)) return [];
  const reminder = askedAt === null ? 0 : remindersBy(askedAt, now);
  await change.rows(
    sql`update encrypted_ballot set asked_at = coalesce(asked_at, ${now.toISOString()}::timestamptz), reminders = ${reminder} where election_id = ${Number(electionId)}`,
  );
  return [{ step: 'credentials', loginId: authority, fullName: authorityName, email: authorityEmail, reminder }];
}

async function askTrustees(change: Change, state: BallotState, now: Date): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const each of state.trustees) {
    const { place, askedStep, askedAt, reminders, loginId, fullName, email } = each;
    const step = nextStep(state, each);
    if (step === null || !isDue({ step: askedStep, at: askedAt, reminders }, step, now)) continue;
    const isNew = askedStep !== step;
    const reminder = isNew ? 0 : remindersBy(askedAt!, now);
    await change.rows(sql`update ballot_trustee set asked_step = ${step}, asked_at = ${isNew ? now.toISOString() : askedAt}::timestamptz, reminders = ${reminder}
      where election_id = ${Number(state.electionId)} and place = ${place}`);
    asked.push({ step, loginId, fullName, email, reminder });
  }
  return asked;
}

async function mailTo(
  change: Change,
  { electionId, title, rollCorrected }: BallotState,
  { step, loginId, fullName, email, reminder }: Asked,
): Promise<void> {
  const isCorrected = step === 'credentials' && rollCorrected;
  const { subject, ask } = words[isCorrected ? 'corrected' : step];
  const entries = isCorrected ? await correctedEntries(change, electionId) : [];
  return notifyPeople(
    change,
    {
      topic: 'elections.votes',
      accountName: null,
      text: encryptedBallotsTexts.written('asked', {
        outcome: reminder > 0 ? 'Reminder: ' : '',
        subject,
        title,
        ask,
        details: entries.join('\n\n'),
      }),
      path: `/voting/${electionId}/duty/${step === 'credentials' || step === 'proxies' ? 'authority' : 'trustee'}`,
      act: subject,
    },
    [{ loginId, fullName, email }],
  );
}

/** Entries of the roll that objections corrected, each in a sentence: the authority compares them. */
async function correctedEntries(change: Change, electionId: string): Promise<string[]> {
  const rows = await change.rows<{ accountName: string; before: number | null; after: number }>(sql`
    select account_name, votes_then as before, votes_given as after from roll_objection
    where election_id = ${Number(electionId)} and votes_given is not null order by roll_objection_id`);
  return rows.map(({ accountName, before, after }) =>
    before === null
      ? `${accountName} was missing on the roll, and is on it with ${after}.`
      : `${accountName} had ${before} on the roll, and has ${after}.`,
  );
}
