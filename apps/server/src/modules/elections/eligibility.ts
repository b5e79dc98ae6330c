import { errorCatalogue, mayVote, messages } from '@portal/contract';
import type { WindowState } from '@portal/contract/elections/life';
import { type ElectionKind, electionKinds } from '@portal/contract/elections/elections';
import type { Eligibility, VotingReason } from '@portal/contract/elections/voting';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';

/** A window for the checks: its state, and its address. */
type WindowNow = { state: WindowState; words: string; url: string };
type MemberVoter = Pick<AdmittedAccount, 'accountName' | 'accountStatus' | 'accountType' | 'permissions' | 'contactTypes'> & {
  mfa: boolean;
  /** Whether it has overdue invoices. */
  owes: boolean;
  /** The name of its proxy in this election. */
  proxy: string | null;
  /** The name under which its votes were cast in this election. */
  votedBy: string | null;
};

const enableMfa = 'Turn on two-factor authentication, log out and log in again';

/** Returns the reason of a refusal as one text: some messages end in a mark of their own. */
export const whyNot = ({ message, detail }: Pick<Eligibility, 'message' | 'detail'>): string =>
  detail === '' ? message.replace(/\.$/, '') : `${message}${/[.!?]$/.test(message) ? '' : '.'} ${detail}`;

const against = (reason: VotingReason, message: string, detail: string): Eligibility => ({ reason, message, detail, url: null });

/** Checks the window by the server's clock, after everything else. */
function byWindow({ state, words, url }: WindowNow): Eligibility {
  if (state === 'not-yet-open') return against('NOT_OPEN', words, '');
  if (state === 'closed') return against('CLOSED', words, '');
  return { reason: null, message: '', detail: '', url };
}

/** Checks what applies to all actions of an account in an election: its type and its good standing. */
function ofAccount(kind: ElectionKind, { accountName, accountStatus, accountType, owes }: MemberVoter): Eligibility | null {
  if (electionKinds[kind].memberVotes === null)
    return against('NOT_ELIGIBLE_TYPE', messages.notEligible, 'Only conference attendees can vote');
  if (!mayVote(accountType)) return against('NOT_ELIGIBLE_TYPE', messages.notEligible, `${accountType} accounts can’t vote`);
  if (accountStatus !== 'open')
    return against('NOT_IN_GOOD_STANDING', messages.notEligible, `${accountName} is ${accountStatus}. Only open accounts can vote`);
  if (owes) return against('NOT_IN_GOOD_STANDING', messages.notEligible, `An invoice of ${accountName} is overdue. Pay it to vote`);
  return null;
}

/**
 * Returns whether a contact may vote for an account. Checks in the order of the reported reasons: type, good standing, permission, second factor, window.
 */
export function memberVoteEligibility(kind: ElectionKind, voter: MemberVoter, window: WindowNow): Eligibility {
  const ruledOut = ofAccount(kind, voter);
  if (ruledOut) return ruledOut;
  if (!voter.permissions.has('voting-vote'))
    return against(
      'NO_VOTE_PERMISSION',
      messages.noVotePermission,
      'A corporate contact of the account can give you the permission to vote',
    );
  if (!voter.mfa) return against('MFA_NOT_ENABLED', messages.mfaNotEnabled, enableMfa);
  const closed = byWindow(window);
  if (closed.reason !== null) return closed;
  if (voter.proxy !== null)
    return against(
      'PROXY_APPOINTED',
      `${voter.proxy} votes as your proxy`,
      `With a proxy appointed, ${voter.accountName} can’t vote directly`,
    );
  return alreadyVoted(voter) ?? closed;
}

const alreadyVoted = ({ votedBy }: MemberVoter): Eligibility | null =>
  votedBy === null ? null : against('ALREADY_VOTED', messages.votesCast, `${votedBy} cast them. A vote can’t be changed or withdrawn`);

/** Returns whether a contact may appoint a proxy for an account: like voting, with the permission for proxies. */
export function proxyEligibility(kind: ElectionKind, voter: MemberVoter, window: WindowNow): Eligibility {
  const ruledOut = ofAccount(kind, voter);
  if (ruledOut) return ruledOut;
  if (!voter.permissions.has('nominate-proxy'))
    return voter.contactTypes.includes('corporate')
      ? against('NO_PROXY_PERMISSION', messages.noPermission, 'It needs the permission “Appoint a proxy”')
      : against('CORPORATE_ONLY', errorCatalogue.CORPORATE_ONLY.message, 'A corporate contact can appoint the proxy, or let you do it');
  if (!voter.mfa) return against('MFA_NOT_ENABLED', messages.mfaNotEnabled, enableMfa);
  const voted = alreadyVoted(voter);
  if (voted) return voted;
  const closed = byWindow(window);
  if (closed.reason !== null) return closed;
  if (voter.proxy !== null)
    return against('PROXY_APPOINTED', `${voter.proxy} is the proxy of ${voter.accountName}`, 'An account has one proxy in an election');
  return closed;
}

/**
 * Returns whether a person may nominate: members for the Executive Council, elsewhere every viewer of the election. The form itself checks the rest.
 * @param voter the account; null for a person without one.
 */
export function nominationEligibility(kind: ElectionKind, voter: MemberVoter | null, window: WindowNow): Eligibility {
  const ruledOut = voter && electionKinds[kind].memberVotes === 'tier' ? ofAccount(kind, voter) : null;
  return ruledOut ?? byWindow(window);
}

/** A person's entries for the conferences that count for an election. */
export type Attendee = {
  /** Name of the current conference, as people know it. */
  conference: string;
  /** When the person registered for it; null if not registered. */
  registeredAt: string | null;
  /** Number of earlier conferences that count and that the person registered for and attended. */
  attendedBefore: number;
  mfa: boolean;
  /** Whether the person is on the frozen roll; null before it is frozen. */
  onRoll: boolean | null;
  /** When the person voted in this election as an attendee. */
  votedAt: string | null;
};

/**
 * Returns whether a person may vote as an attendee: registered for the current conference by the cut-off, and registered for and present at one of
 * the previous eight (once frozen, the roll decides); with a second factor, and one vote. No account is needed.
 * @param cutOff ISO instant; a registration at exactly this instant is in time.
 */
export function attendeeEligibility(attendee: Attendee, cutOff: string, window: WindowNow): Eligibility {
  const { conference, mfa, onRoll, votedAt } = attendee;
  if (votedAt !== null) return against('ALREADY_VOTED', 'You have voted as an attendee', 'A vote can’t be changed or withdrawn');
  const ruledOut = onRoll === true ? null : ofAttendee(attendee, cutOff);
  if (ruledOut) return ruledOut;
  if (onRoll === false)
    return against('NOT_REGISTERED', messages.notEligible, `You weren’t on the attendance lists for ${conference} when voting opened`);
  if (!mfa) return against('MFA_NOT_ENABLED', messages.mfaNotEnabled, enableMfa);
  return byWindow(window);
}

/** Checks a person's entries in the attendance lists. */
function ofAttendee({ conference, registeredAt, attendedBefore }: Attendee, cutOff: string): Eligibility | null {
  if (registeredAt === null) return against('NOT_REGISTERED', messages.notEligible, `You aren’t registered for ${conference}`);
  if (Date.parse(registeredAt) > Date.parse(cutOff))
    return against('NOT_REGISTERED', messages.notEligible, `You registered for ${conference} after the deadline for this vote`);
  if (attendedBefore === 0)
    return against(
      'NOT_ATTENDED',
      messages.notEligible,
      `You’re registered for ${conference}, but didn’t attend any of the ${conferencesBefore} previous conferences`,
    );
  return null;
}

/** Number of previous conferences of which one must have been attended. */
export const conferencesBefore = 8;
