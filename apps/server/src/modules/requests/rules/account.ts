import type { RequestCheck } from '@portal/contract/requests/requests';
import type { ResourceSet } from '@portal/number-resources';
import { isEmail } from '@portal/contract/email';
import { pages } from '@portal/contract/pages';
import { dayInWords } from '../../../platform/attention.ts';
import { check, metIf } from './check.ts';

/** How an account stands with the registry, whatever it holds. */
export type AccountStanding = {
  accountStatus: string;
  accountType: string;
  /** The day on which it became a member, or null. */
  memberSince: string | null;
  overdueInvoice: boolean;
  /** Registry staff have stopped changes of its holdings. */
  restrained: boolean;
  /** The irt whose mailbox has not answered, or null. */
  silentIrt: string | null;
  /** The mailbox for abuse reports about its numbers, or empty; and one that is not validated, or null. */
  abuseMailbox: string;
  unvalidatedMailbox: string | null;
  /** Mailboxes of its irts that answered their validation, in lower case. */
  validMailboxes: readonly string[];
  /** Whether the registry delegates only to accounts with validated mailboxes. */
  asksValidation: boolean;
};

/** Facts about a requesting account. Sizes are numbers of addresses. */
export type AccountFacts = AccountStanding & {
  /** The registry's day, and that on which the request was sent; today for a draft. */
  today: string;
  sentOn: string;
  /** Received from the last pool minus returned; or only what is still held, if the policy says so. */
  lastPool: bigint;
  ipv4: bigint;
  ipv4Used: bigint;
  /** IPv4 delegated by this registry or an NIR under an agreement: historical space does not count. */
  ipv4Current: bigint;
  ipv6: readonly { resource: string; length: number; used56: bigint }[];
  asns: number;
  /** AS numbers that cost nothing; null where no fees are announced. The rules decide alone up to these; a hostmaster looks at the need for more. */
  freeAsns: number | null;
  /** AS numbers of the account, and special-purpose numbers that this registry delegates as a laboratory. */
  ownAsns: ResourceSet;
  lab: ResourceSet;
  /** Held for exchanges. */
  exchanges: readonly string[];
  /** Held for events of the requested kind, by the account and by all accounts: addresses or AS numbers. */
  events: readonly string[];
  eventsInUse: bigint;
  /** An open request of the same kind. */
  open: string | null;
  twoByteLeft: boolean;
};

/**
 * Checks the abuse mailbox: the account has one, or names one in the form, and it is validated. Not needed to give numbers away. @param asked the
 * mailbox in the form; null for a case that gives the account nothing
 */
export function abuseContactCheck(facts: AccountStanding, asked: string | null): RequestCheck {
  const { silentIrt, abuseMailbox, unvalidatedMailbox, validMailboxes, asksValidation } = facts;
  const made = (known: string, fix: RequestCheck['fix'], fact = 'Abuse contact is valid'): RequestCheck => ({
    ...check(
      'abuse-contact',
      metIf(fix === undefined),
      fact,
      known,
      'Organisation and whois',
      'Every network has a mailbox for abuse reports, and it answers',
    ),
    ...(fix && { fix }),
  });
  const validation = { label: 'Validate it', path: '/admin/irt-validation' };
  if (silentIrt !== null) return made(`${silentIrt.toUpperCase()} hasn’t been validated`, validation);
  if (asked !== null && unvalidatedMailbox !== null && asksValidation)
    return made(`${unvalidatedMailbox} hasn’t been validated`, validation);
  const mailbox = asked !== null && isEmail(asked.trim()) ? asked.trim() : abuseMailbox;
  if (mailbox !== '') {
    if (validMailboxes.includes(mailbox.toLowerCase())) return made(`${mailbox} is validated`, undefined);
    // Home says until when one that is in whois is to be validated; one that isn’t there yet is asked once it is.
    const still = mailbox === unvalidatedMailbox ? 'its validation isn’t overdue' : 'not validated yet';
    return made(`${mailbox}: ${still}`, undefined, 'Abuse contact is named');
  }
  if (asked === null) return made('No mailbox is overdue', undefined, 'Abuse contact isn’t overdue');
  return made('The account has no mailbox for abuse reports', {
    label: 'Set it in the organisation details',
    path: pages.organizationDetails.path,
  });
}

/** A check that is there only while registry staff have stopped changes of the account’s holdings; nothing overrules it. */
export const restraintChecks = ({ restrained }: AccountStanding): RequestCheck[] =>
  restrained
    ? [
        check(
          'restraint',
          'unmet',
          'Changes of holdings',
          'Registry staff have stopped them for now. The home page of the account says why and until when',
          'Registry',
          'Requests and transfers wait while the registry has stopped them',
        ),
      ]
    : [];

/** Checks of the account for every request. @param abuseMailbox as in `abuseContactCheck` */
export function accountChecks(facts: AccountStanding, abuseMailbox: string | null): RequestCheck[] {
  const { accountStatus, accountType, memberSince, overdueInvoice } = facts;
  return [
    ...restraintChecks(facts),
    check(
      'open',
      metIf(accountStatus === 'open' || accountStatus === 'new'),
      'Account is open',
      accountStatus === 'open' && memberSince !== null
        ? `Open, member since ${dayInWords(memberSince)}`
        : `The account is ${accountStatus}`,
      'Accounts',
      'Open account',
    ),
    check(
      'agreement',
      metIf(accountType !== 'historical' && accountType !== 'rir'),
      'Agreement with the registry',
      accountType === 'historical' ? 'Historical resources only, without an agreement' : `Account type ${accountType}`,
      'Accounts',
      'Resources are delegated under an agreement',
    ),
    check(
      'invoices',
      metIf(!overdueInvoice),
      'No overdue invoice',
      overdueInvoice ? 'An invoice is overdue' : 'Every invoice is paid or not yet due',
      'Billing',
      'Invoices are paid',
    ),
    abuseContactCheck(facts, abuseMailbox),
  ];
}

/** One request of a kind at a time. */
export const openCheck = ({ open }: AccountFacts): RequestCheck =>
  check(
    'single',
    metIf(open === null),
    'No similar request open',
    open === null ? 'None is open' : `${open} is open`,
    'Requests',
    'One request of a kind at a time',
  );
