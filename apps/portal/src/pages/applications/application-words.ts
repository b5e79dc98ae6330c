import type { Application, ApplicationEvent } from '@portal/contract/applications/applications';
import type { Referral } from '@portal/contract/applications/referrals';
import type { ResourceKind } from '@portal/contract/resources/resource-kinds';
import type { State } from '@portal/ui';

/** States of an application, as the applicant reads them. */
export const applicationStates: Record<Application['state'], { state: State; words: string }> = {
  draft: { state: 'info', words: 'draft' },
  submitted: { state: 'pending', words: 'submitted' },
  'in-review': { state: 'pending', words: 'in review' },
  'needs-info': { state: 'warning', words: 'question for you' },
  approved: { state: 'valid', words: 'approved' },
  rejected: { state: 'invalid', words: 'rejected' },
  withdrawn: { state: 'closed', words: 'withdrawn' },
  expired: { state: 'closed', words: 'expired' },
};

export const eventWords: Record<ApplicationEvent['kind'], string> = {
  submitted: 'Submitted',
  'in-review': 'Taken into review',
  question: 'Asked',
  answer: 'Answered',
  approved: 'Approved',
  rejected: 'Refused',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
};

export const referralStates: Record<Referral['state'], { state: State; words: string }> = {
  sent: { state: 'pending', words: 'awaiting the customer' },
  opened: { state: 'info', words: 'accepted, in progress' },
  submitted: { state: 'pending', words: 'submitted' },
  approved: { state: 'valid', words: 'approved' },
  active: { state: 'valid', words: 'member' },
  declined: { state: 'closed', words: 'not completed' },
  expired: { state: 'closed', words: 'expired' },
  withdrawn: { state: 'closed', words: 'withdrawn' },
};

export const resourceWords: Record<ResourceKind, string> = { ipv4: 'IPv4', ipv6: 'IPv6', asn: 'AS number' };
export const wordsOfResources = (kinds: readonly ResourceKind[]): string =>
  kinds.length === 0 ? 'none for now' : kinds.map(kind => resourceWords[kind]).join(', ');

export const membershipWords = {
  member: { label: 'Member', help: 'Can vote.' },
  'non-member': { label: 'Non-member', help: 'Holds resources but can’t vote.' },
} as const;

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
/** The name of an application in a list; a draft may have none yet. */
export const nameOf = ({ orgName, reference }: Pick<Application, 'orgName' | 'reference'>): string =>
  orgName.trim() || `${reference}, no name yet`;
