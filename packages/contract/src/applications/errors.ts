import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `applications`. */
export const applicationErrors = {
  TOO_MANY_DRAFTS: { status: 409, message: 'You have {most} applications open already. Go on with one of them, or withdraw one' },
  WITH_REGISTRY: { status: 409, message: '{what} is with the registry. It can be changed when the registry asks about it' },
  ACCOUNT_NAME_TAKEN: { status: 409, message: '{name} is taken. Choose another account name' },
  ORGANISATION_IS_MEMBER: {
    status: 409,
    message: 'An organisation with this registration number in {economy} is a member already. Link its membership to your login instead',
  },
  AGREEMENT_CHANGED: { status: 409, message: 'The membership agreement is now version {version}. Read it and accept it again' },
  EMAIL_NOT_VERIFIED: { status: 409, message: 'Nobody has shown yet that {email} is yours. Confirm the address of your login first' },
  NOT_A_MEMBER: { status: 403, message: 'Only accounts of the type regular refer customers; {account} is of the type {type}' },
  REFERRAL_NOT_POSSIBLE: { status: 409, message: 'The registry cannot take this referral. Ask the customer to write to the registry' },
  ALREADY_REFERRED: { status: 409, message: 'This customer was referred on {when} already. Say that you want to refer it again' },
  REFERRAL_NOT_FOUND: { status: 404, message: 'There is no such referral. Open the newest one you were sent' },
  REFERRAL_EXPIRED: { status: 410, message: 'This referral has expired. Whoever sent it can send another' },
  REFERRAL_USED: { status: 410, message: 'This referral was answered already' },
  REFERRAL_WITHDRAWN: { status: 410, message: 'This referral was withdrawn' },
} as const satisfies ErrorRows;
