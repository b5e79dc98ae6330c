import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `applications`. */
export const applicationErrors = {
  TOO_MANY_DRAFTS: { status: 409, message: 'You already have {most} open applications. Continue or withdraw one' },
  WITH_REGISTRY: { status: 409, message: '{what} is submitted. You can change it if the registry has a question' },
  ACCOUNT_NAME_TAKEN: { status: 409, message: '{name} is taken. Choose another account name' },
  ORGANISATION_IS_MEMBER: {
    status: 409,
    message: 'An organisation with this registration number in {economy} is already a member. Ask to be linked to its account instead',
  },
  AGREEMENT_CHANGED: { status: 409, message: 'The membership agreement is now version {version}. Read and accept it again' },
  EMAIL_NOT_VERIFIED: { status: 409, message: '{email} isn’t verified. Confirm your login’s address first' },
  NOT_A_MEMBER: { status: 403, message: 'Only regular accounts can refer customers. {account} is a {type} account.' },
  REFERRAL_NOT_POSSIBLE: { status: 409, message: 'This customer can’t be referred. Ask the customer to write to the registry' },
  ALREADY_REFERRED: { status: 409, message: 'This customer was already referred on {when}. Confirm that you want to refer it again' },
  REFERRAL_NOT_FOUND: { status: 404, message: 'Referral not found. Open your latest one' },
  REFERRAL_EXPIRED: { status: 410, message: 'This referral has expired. Ask the sender for another one' },
  REFERRAL_USED: { status: 410, message: 'This referral was already answered' },
  REFERRAL_WITHDRAWN: { status: 410, message: 'This referral was withdrawn' },
} as const satisfies ErrorRows;
