import { errorCatalogue } from '@portal/contract';

/** Specific sentences where the catalogue's is unclear without its values. */
const own: Record<string, string> = {
  INVALID_REQUEST: 'The request wasn’t valid',
  COOLING_DOWN: 'The login can’t make changes yet after its recovery',
  MFA_TOO_OLD: 'This needs a second factor entered just now',
  NOT_FOUND: 'Not found',
  STALE: 'Someone else changed it in the meantime',
  ALREADY_RESOLVED: 'It was already resolved',
  ALREADY_ASKED: 'It was requested within the last 24 hours',
  ACCOUNT_SUSPENDED: 'The account is suspended',
  ACCOUNT_CLOSED: 'The account is closed',
  ALREADY_CONTACT: 'The person is already a contact of the account',
  REGISTRY_DECIDES: 'An earlier request is awaiting the registry',
  PERMISSION_NOT_GRANTABLE: 'The permission can’t be granted here',
  FILE_TOO_LARGE: 'The file is too large',
  FILE_REFUSED: 'The file type isn’t accepted',
  FILE_UNUSABLE: 'The file can’t be used',
  DOCUMENT_MISSING: 'This needs a supporting document',
  BEING_CHECKED: 'The file is being checked for viruses',
  NOT_READ: 'The document wasn’t opened first',
  NOTHING_TO_SIGN: 'The document doesn’t need a signature',
  ERASURE_BLOCKED: 'Something stood in the way of the erasure',
  FEATURE_NOT_ON: 'This wasn’t switched on for the account',
  FEATURE_OFF: 'This is switched off right now',
};

/** Returns why an attempt was refused: the sentence of the catalogue, with dots for values that only the caller saw. */
export function refusalWords(code: string): string {
  const known = own[code] ?? (errorCatalogue as Record<string, { message: string }>)[code]?.message ?? code;
  return known.replace(/\{\w+\}/g, '…');
}
