import type { RequestCheck } from '@portal/contract/requests/requests';
import type { Row } from './request-row.ts';

/** Checks that say something of an account: the business of its contacts, and of no other party. */
const standing = new Set(['open', 'agreement', 'invoices', 'abuse-contact', 'single']);

/**
 * The checks of a case as a party of it may read them. Of the other party it says whether it can take part, and no more: neither its fees nor its plan.
 */
export function checksFor(checks: readonly RequestCheck[], { accountName, recipientName }: Row, reader: string): RequestCheck[] {
  if (reader === accountName)
    return checks.flatMap(check => {
      if (check.checkId === 'recipient')
        return [
          {
            ...check,
            known: check.state === 'met' ? `${recipientName} can receive` : `${recipientName} can’t receive at the moment`,
            source: 'Accounts',
            policy: 'An open account in good standing',
          },
        ];
      return check.checkId === 'need' && recipientName !== null ? [] : [check];
    });
  const theirs = checks.filter(({ checkId }) => standing.has(checkId));
  const able = theirs.every(({ state }) => state !== 'unmet');
  const source: RequestCheck = {
    checkId: 'source',
    fact: 'Sender can transfer',
    known: able ? `${accountName} can transfer` : `${accountName} can’t transfer at the moment`,
    source: 'Accounts',
    state: able ? 'met' : 'unmet',
    policy: 'An open account in good standing',
  };
  const ofSpace = checks.filter(({ checkId }) => !standing.has(checkId));
  return [source, ...ofSpace.map(check => (check.checkId === 'rest' ? { ...check, fact: `What ${accountName} keeps` } : check))];
}
