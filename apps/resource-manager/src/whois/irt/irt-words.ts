import type { WhoisIrt } from '@portal/contract/whois/whois';
import type { BadgeKind, IconName } from '@portal/ui';

type IrtState = WhoisIrt['mailboxes'][number]['state'];

/** Marks of the validation states of a mailbox. */
export const irtStateMarks: Readonly<Record<IrtState, { word: string; kind: BadgeKind; icon: IconName }>> = {
  valid: { word: 'Valid', kind: 'valid', icon: 'valid' },
  pending: { word: 'Awaiting validation', kind: 'warning', icon: 'clock' },
  undeliverable: { word: 'Undeliverable', kind: 'invalid', icon: 'mail' },
  invalid: { word: 'Invalid', kind: 'invalid', icon: 'invalid' },
  restricted: { word: 'Restricts the account', kind: 'invalid', icon: 'lock' },
};

export const hrefOfIrts = '/resources/irt';
export const hrefOfNewIrt = '/resources/add-irt';
export const hrefOfExistingIrt = (irt: string | null = null): string =>
  `/resources/add-existing-irt${irt === null ? '' : `?irt=${encodeURIComponent(irt)}`}`;
export const hrefOfValidation = '/admin/irt-validation';
