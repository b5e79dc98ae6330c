import type { RequestCheck } from '@portal/contract/requests/requests';
import type { Row } from './request-row.ts';

/** The checks of a case as registry staff read them: “you” is the member there. */
export const checksForStaff = (checks: readonly RequestCheck[], { accountName, recipientName }: Row): RequestCheck[] =>
  checks.map(check =>
    check.checkId === 'rest' ? { ...check, fact: `What ${recipientName === null ? accountName : 'the sender'} keeps` } : check,
  );

/** Checks that reveal something about an account, shown to its own contacts only. */
const standing = new Set(['restraint', 'open', 'agreement', 'invoices', 'abuse-contact', 'single']);

/** The only fact one party sees about the other: whether it can take part. It isn't told whether fees, a suspension, a restraint or an abuse mailbox is the reason. */
export const takesPart = (accountName: string, act: 'receive' | 'transfer', able: boolean) => ({
  known: able ? `${accountName} can ${act}` : `${accountName} can’t ${act} at the moment`,
  source: 'Accounts',
  policy: 'An open account in good standing',
});

/**
 * The checks of a case as one of its parties may read them. About the other party they say only whether it can take part.
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
