import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `whois`. */
export const whoisErrors = {
  MAINTAINER_LINKED: { status: 409, message: '{maintainer} is linked to this account already' },
  REGISTRY_MAINTAINER: { status: 409, message: '{maintainer} is the registry’s own' },
  PRINCIPAL_MAINTAINER: { status: 409, message: '{maintainer} is the principal maintainer. Choose another one first' },
  CODE_EXPIRED: { status: 410, message: 'There is no code that still counts. Ask for a new one' },
  TOO_MANY_CODES: { status: 429, message: 'A code is sent again at most three times a day. Try again tomorrow' },
  ACCOUNT_RESTRICTED_IRT: {
    status: 403,
    message: 'Whois objects of {account} can be changed again when somebody has shown that {mailbox} of {irt} is read',
  },
  TOO_MANY_EDITS: {
    status: 429,
    message: '{account} changed whois objects {most} times within an hour, which is the most. Go on in {minutes} minutes',
  },
  TOO_MUCH_UPLOADED: { status: 429, message: '{account} may upload {most} MB a day; it uploaded {used} MB, and this text has {size} MB' },
  TOO_MANY_OBJECTS: { status: 409, message: '{account} would have more than {most} whois objects, which is the most' },
  TOO_MANY_FOLLOWS: { status: 409, message: 'You follow {most} things, which is the most. Stop following some first' },
} as const satisfies ErrorRows;
