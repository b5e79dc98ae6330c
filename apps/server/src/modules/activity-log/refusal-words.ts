import { errorCatalogue } from '@portal/contract';

/** Own sentences where the catalogue's says little without its values. */
const own: Record<string, string> = {
  INVALID_REQUEST: 'What was sent is not valid',
  COOLING_DOWN: 'After a change of the sign-in the login waits before it changes the registry',
  MFA_TOO_OLD: 'This needs a second factor given just now',
  NOT_FOUND: 'It was not found',
  STALE: 'It was changed by somebody else in the meantime',
  ALREADY_RESOLVED: 'It was resolved already',
  ALREADY_ASKED: 'It was asked for within the last 24 hours',
  ACCOUNT_SUSPENDED: 'The account is suspended',
  ACCOUNT_CLOSED: 'The account is closed',
  ALREADY_CONTACT: 'The person is a contact of the account already',
  REGISTRY_DECIDES: 'The registry has yet to decide an earlier request',
  PERMISSION_NOT_GRANTABLE: 'The permission cannot be granted here',
  FILE_TOO_LARGE: 'The file is too large',
  FILE_REFUSED: 'The file was not taken for what it contains',
  FILE_UNUSABLE: 'The file cannot be used',
  DOCUMENT_MISSING: 'This needs a paper that proves it',
  BEING_CHECKED: 'The file is being checked for viruses',
  NOT_READ: 'The document was not opened before',
  NOTHING_TO_SIGN: 'The document waits for no signature',
  FEATURE_OFF: 'This is switched off at the moment',
};

/** Returns why an attempt was refused: the sentence of the catalogue, with dots for values that only the caller saw. */
export function refusalWords(code: string): string {
  const known = own[code] ?? (errorCatalogue as Record<string, { message: string }>)[code]?.message ?? code;
  return known.replace(/\{\w+\}/g, '…');
}
