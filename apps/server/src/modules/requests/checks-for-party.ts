import type { RequestCheck } from '@portal/contract/requests/requests';
import type { Row } from './request-row.ts';

/** Checks that say something of an account: the business of its contacts, and of no other party. */
const standing = new Set(['open', 'agreement', 'invoices', 'abuse-contact', 'single']);

/** All that one party reads of the other one: it can take part or can’t. Whether that is for fees, a suspension or an abuse mailbox is not its business. */
export const takesPart = (accountName: string, act: 'receive' | 'transfer', able: boolean) => ({
  known: able ? `${accountName} can ${act}` : `${accountName} can’t ${act} at the moment`,
  source: 'Accounts',
  policy: 'An open account in good standing',
});

/**
 * The checks of a case as a party of it may read them. Of the other party it says whether it can take part, and no more: neither its fees nor its plan.
 */
export function checksFor(checks: readonly RequestCheck[], { accountName, recipientName }: Row, reader: string): RequestCheck[] {
  if (reader === accountName)
    return checks.flatMap(check => {
      if (check.checkId === 'recipient') return [{ ...check, ...takesPart(recipientName!, 'receive', check.state === 'met') }];
      return check.checkId === 'need' && recipientName !== null ? [] : [check];
    });
  const theirs = checks.filter(({ checkId }) => standing.has(checkId));
  const able = theirs.every(({ state }) => state !== 'unmet');
  const source: RequestCheck = {
    checkId: 'source',
    fact: 'Sender can transfer',
    state: able ? 'met' : 'unmet',
    ...takesPart(accountName, 'transfer', able),
  };
  const ofSpace = checks.filter(({ checkId }) => !standing.has(checkId));
  return [source, ...ofSpace.map(check => (check.checkId === 'rest' ? { ...check, fact: `What ${accountName} keeps` } : check))];
}
