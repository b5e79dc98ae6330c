import { WhyNot } from '@portal/app-kit';
import type { Eligibility } from '@portal/contract/elections/voting';
import { Refusal } from '@portal/ui';

/** Why the reader can't vote, and who or what can help. */
export function WhyNotVote({ eligibility: { reason, message, detail } }: { eligibility: Eligibility }) {
  if (reason === 'MFA_NOT_ENABLED')
    return <WhyNot title="You can’t vote here yet" refusal={{ rule: 'second-factor', sentence: message, permission: null }} />;
  if (reason === 'NO_VOTE_PERMISSION')
    return <WhyNot title="You can’t vote here" refusal={{ rule: 'permission', sentence: message, permission: 'voting-vote' }} />;
  return <Refusal title="You can’t vote here" rule={message} help={detail && `${detail}.`} />;
}
