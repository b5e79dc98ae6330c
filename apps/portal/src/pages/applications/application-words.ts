import type { Application, ApplicationEvent } from '@portal/contract/applications/applications';
import type { Referral } from '@portal/contract/applications/referrals';
import type { ResourceKind } from '@portal/contract/resources/resource-kinds';
import type { State } from '@portal/ui';

/** States of an application, as the applicant reads them. */
export const applicationStates: Record<Application['state'], { state: State; words: string }> = {
  DRAFT: { state: 'info', words: 'draft' },
  SUBMITTED: { state: 'pending', words: 'submitted' },
  IN_REVIEW: { state: 'pending', words: 'in review' },
  INFO_REQUESTED: { state: 'warning', words: 'question for you' },
  APPROVED: { state: 'valid', words: 'approved' },
  REJECTED: { state: 'invalid', words: 'refused' },
  WITHDRAWN: { state: 'closed', words: 'withdrawn' },
  EXPIRED: { state: 'closed', words: 'expired' },
};

export const eventWords: Record<ApplicationEvent['kind'], string> = {
  SUBMITTED: 'Submitted',
  IN_REVIEW: 'Taken into review',
  QUESTION: 'Asked',
  ANSWER: 'Answered',
  APPROVED: 'Approved',
  REJECTED: 'Refused',
  WITHDRAWN: 'Withdrawn',
  EXPIRED: 'Expired',
};

export const referralStates: Record<Referral['state'], { state: State; words: string }> = {
  SENT: { state: 'pending', words: 'awaiting the customer' },
  OPENED: { state: 'info', words: 'accepted, in progress' },
  SUBMITTED: { state: 'pending', words: 'submitted' },
  APPROVED: { state: 'valid', words: 'approved' },
  ACTIVE: { state: 'valid', words: 'member' },
  DECLINED: { state: 'closed', words: 'not completed' },
  EXPIRED: { state: 'closed', words: 'expired' },
  WITHDRAWN: { state: 'closed', words: 'withdrawn' },
};

export const resourceWords: Record<ResourceKind, string> = { ipv4: 'IPv4', ipv6: 'IPv6', asn: 'AS number' };
export const wordsOfResources = (kinds: readonly ResourceKind[]): string =>
  kinds.length === 0 ? 'none for now' : kinds.map(kind => resourceWords[kind]).join(', ');

export const membershipWords = {
  member: { label: 'Member', help: 'Can vote. Pays the member fee.' },
  'non-member': { label: 'Non-member', help: 'Holds resources but can’t vote. Pays the non-member fee.' },
} as const;

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
/** The name of an application in a list; a draft may have none yet. */
export const nameOf = ({ orgName, reference }: Pick<Application, 'orgName' | 'reference'>): string =>
  orgName.trim() || `${reference}, no name yet`;
