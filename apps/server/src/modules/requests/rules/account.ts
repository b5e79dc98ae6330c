import type { RequestCheck } from '@portal/contract/requests/requests';
import type { ResourceSet } from '@portal/number-resources';
import { check, metIf } from './check.ts';

/** Facts about an account when it asks for something. Sizes are numbers of addresses. */
export type AccountFacts = {
  accountStatus: string;
  accountType: string;
  /** The registry's day, and that on which the request was sent; today for a draft. */
  today: string;
  sentOn: string;
  overdueInvoice: boolean;
  /** The irt whose mailbox has not answered; null where all have. */
  silentIrt: string | null;
  /** Received from the last pool, less what was returned; or only what is held of it, where the policy says so. */
  lastPool: bigint;
  ipv4: bigint;
  ipv4Used: bigint;
  /** IPv4 delegated by this registry or an NIR under an agreement: historical space does not count. */
  ipv4Current: bigint;
  ipv6: readonly { resource: string; length: number; used56: bigint }[];
  asns: number;
  /** AS numbers of the account, and special-purpose numbers that this registry delegates as a laboratory. */
  ownAsns: ResourceSet;
  lab: ResourceSet;
  /** Held for exchanges. */
  exchanges: readonly string[];
  /** Held for an event, of the kind that is asked for; and what all events of the registry have of that kind now, addresses or AS numbers. */
  events: readonly string[];
  eventsInUse: bigint;
  /** A request of the same kind that is open. */
  open: string | null;
  twoByteLeft: boolean;
};

/** Facts about the account that every request needs. */
export function accountChecks(facts: AccountFacts): RequestCheck[] {
  const { accountStatus, accountType, overdueInvoice, silentIrt } = facts;
  return [
    check(
      'open',
      metIf(accountStatus === 'open' || accountStatus === 'new'),
      'Account is open',
      `The account is ${accountStatus}`,
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
    check(
      'abuse-contact',
      metIf(silentIrt === null),
      'Abuse contact is valid',
      silentIrt === null ? 'No mailbox is overdue' : `${silentIrt.toUpperCase()} hasn’t been validated`,
      'Whois',
      'Abuse mailboxes are validated twice a year',
    ),
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
