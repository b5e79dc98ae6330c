import { isRowId } from '@portal/contract/row-ids';
import type { TrusteeStep } from '@portal/contract/encrypted-ballots/setup';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import { type ArchiveEnd, archiveEnd } from './archive.ts';

/** A trustee, and what this trustee has sent. */
export type TrusteeRow = {
  place: number;
  loginId: string;
  fullName: string;
  email: string;
  ownKey: string | null;
  certificate: string | null;
  polynomial: string | null;
  input: string | null;
  share: string | null;
  decryption: string | null;
  /** The step that was asked for by mail, when, and how often the trustee was reminded. */
  askedStep: TrusteeStep | null;
  askedAt: string | null;
  reminders: number;
};

/** The encrypted ballot of an election as it is. */
export type BallotState = {
  electionId: string;
  title: string;
  electionState: 'draft' | 'published' | 'cancelled';
  rollFixed: boolean;
  /** An objection to the roll was upheld, so that credentials are made again. */
  rollCorrected: boolean;
  setUpAt: string | null;
  uuid: string;
  authority: string;
  authorityName: string;
  authorityEmail: string;
  authorityIsStaff: boolean;
  threshold: number | null;
  hasCredentials: boolean;
  credentialsFingerprint: string | null;
  /** When the credential authority was asked for the credentials, and how often it was reminded. */
  askedAt: string | null;
  reminders: number;
  trusteeKeys: string | null;
  parameters: string | null;
  trusteeTexts: string | null;
  tally: string[] | null;
  decryption: string | null;
  result: number[] | null;
  trustees: TrusteeRow[];
  end: ArchiveEnd | null;
};

const notFound = () => refuse('NOT_FOUND', { what: 'The encrypted ballot' });

/** Reads the encrypted ballot of an election. @throws Failure NOT_FOUND where no one is appointed for it */
export async function readBallotState(read: Pick<Read, 'rows'>, electionId: string): Promise<BallotState> {
  if (!isRowId(electionId)) throw notFound();
  const id = Number(electionId);
  const [row] = await read.rows<Omit<BallotState, 'trustees' | 'end'>>(sql`
    select b.election_id::text as election_id, e.title, e.state as election_state, e.roll_frozen_at is not null as roll_fixed,
      exists (select from roll_objection o where o.election_id = e.election_id and o.state = 'upheld') as roll_corrected, e.set_up_at, b.uuid, b.authority, a.full_name as authority_name, a.email as authority_email, a.staff as authority_is_staff,
      b.threshold, exists (select from ballot_credential c where c.election_id = b.election_id) as has_credentials, b.credentials_fingerprint, b.asked_at, b.reminders, b.trustee_keys, b.parameters, b.trustees as trustee_texts, b.tally, b.decryption, b.result
    from encrypted_ballot b join election e using (election_id) join login a on a.login_id = b.authority where b.election_id = ${id}`);
  if (!row) throw notFound();
  const trustees = await read.rows<TrusteeRow>(sql`
    select t.place, t.login_id, l.full_name, l.email, t.own_key, t.certificate, t.polynomial, t.input, t.share, t.decryption, t.asked_step, t.asked_at, t.reminders
    from ballot_trustee t join login l using (login_id) where t.election_id = ${id} order by t.place`);
  return { ...row, trustees, end: await archiveEnd(read, electionId) };
}

/** Locks the encrypted ballot of an election: what is appended to its archive follows one after the other. @throws Failure NOT_FOUND */
export async function lockBallotState(change: Change, electionId: string): Promise<BallotState> {
  if (!isRowId(electionId)) throw notFound();
  await change.rows(sql`select 1 as locked from encrypted_ballot where election_id = ${Number(electionId)} for update`);
  return readBallotState(change, electionId);
}

/** Returns the step that a trustee takes next; null while others are waited for, and when all is done. */
export function nextStep({ threshold, trustees, decryption, end, parameters }: BallotState, own: TrusteeRow): TrusteeStep | null {
  if (decryption !== null) return end?.kind !== 'Result' && own.decryption === null ? 'decryption' : null;
  if (parameters !== null) return null;
  if (threshold === null) return own.ownKey === null ? 'key' : null;
  for (const step of ['certificate', 'polynomial', 'share'] as const) {
    if (own[step] === null) return step;
    if (trustees.some(each => each[step] === null)) return null;
  }
  return null;
}
