import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `whois`. */
export const whoisErrors = {
  MAINTAINER_LINKED: { status: 409, message: '{maintainer} is already linked to this account' },
  REGISTRY_MAINTAINER: { status: 409, message: '{maintainer} is the registry’s own maintainer' },
  PRINCIPAL_MAINTAINER: { status: 409, message: '{maintainer} is the principal maintainer. Choose another one first' },
  CODE_EXPIRED: { status: 410, message: 'There is no valid code. Request a new one' },
  TOO_MANY_CODES: { status: 429, message: 'Limit of three codes a day reached. Try again tomorrow' },
  ACCOUNT_RESTRICTED_IRT: {
    status: 403,
    message: '{account} can’t change whois objects until {mailbox} of {irt} is validated',
  },
  TOO_MANY_EDITS: {
    status: 429,
    message: '{account} reached the limit of {most} changes of whois objects an hour. Try again in {minutes} minutes',
  },
  TOO_MUCH_UPLOADED: {
    status: 429,
    message: '{account} can write {most} MB of whois objects a day. It wrote {used} MB, and this is {size} MB more',
  },
  TOO_MANY_OBJECTS: { status: 409, message: '{account} can have at most {most} whois objects' },
  TOO_MANY_FOLLOWS: { status: 409, message: 'You can follow at most {most} items. Stop following some first' },
} as const satisfies ErrorRows;
