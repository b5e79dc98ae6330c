import { Page, type PageReads, read, SessionContext, useAddress, useDownload, useRead, useRefusal, useSession } from '@portal/app-kit';
import { later } from '@portal/app-kit/page/later';
import { isOpenInvoice } from '@portal/app-kit/words/billing-words';
import type { Account } from '@portal/contract/accounts/accounts';
import { billing } from '@portal/contract/billing/billing';
import { pages } from '@portal/contract/pages';
import { Button, ButtonRow, EmptyState, Link, LinkButton, Stack } from '@portal/ui';
import { useMemo } from 'react';
import { People } from './People.tsx';
import { Reactivation } from './Reactivation.tsx';

const BillsOfClosed = later(() => import('../BillingPage.tsx'), 'BillsOfClosed');

const billingOf = (account: string) => read(billing.getBilling, { account });
// The account is that of the address, and not the selected one.
export const reads: PageReads = () => [];

/** The invoices of a closed account, the way back, and who still has access: `?account=NAME`, one of the person's own. */
export default function ClosedAccountPage() {
  const session = useSession();
  const wanted = useAddress().get('account');
  const account = session.closedAccounts.find(({ accountName }) => accountName === wanted);
  // What is below is about the closed account, as pages are about the selected one.
  const ofClosed = useMemo(() => account && { ...session, account }, [session, account]);
  if (!account || !ofClosed) return <NotClosed wanted={wanted} />;
  return (
    <SessionContext value={ofClosed}>
      <Page title={`${account.accountName} is closed`} sub={account.orgName} actions={<Statements account={account} />}>
        <Stack gap={16} key={account.accountName}>
          <Closed account={account} />
          <People account={account} />
        </Stack>
      </Page>
    </SessionContext>
  );
}

function NotClosed({ wanted }: { wanted: string | null }) {
  const { accounts, closedAccounts } = useSession();
  const isOpen = accounts.some(({ accountName }) => accountName === wanted);
  return (
    <Page title={pages.closedAccount.title}>
      <EmptyState
        title={
          wanted === null ? 'No account is chosen' : isOpen ? `${wanted} is open again` : `None of your closed accounts is named ${wanted}`
        }
        action={
          isOpen ? (
            <LinkButton href={`/${encodeURIComponent(wanted!)}/index.html?to=${pages.billing.path}`}>Billing of {wanted}</LinkButton>
          ) : (
            <LinkButton href={pages.myAccounts.path}>See your accounts</LinkButton>
          )
        }
      >
        {closedAccounts.length === 0 ? (
          'None of your accounts is closed.'
        ) : (
          <>
            Closed accounts:{' '}
            {closedAccounts.map(({ accountName }, place) => (
              <span key={accountName}>
                {place > 0 && ', '}
                <Link href={`${pages.closedAccount.path}?${new URLSearchParams({ account: accountName })}`}>{accountName}</Link>
              </span>
            ))}
            .
          </>
        )}
      </EmptyState>
    </Page>
  );
}

function Statements({ account: { accountName: account } }: { account: Account }) {
  const save = useDownload(billing.exportStatement);
  const savePdf = useDownload(billing.downloadStatement);
  const refusal = useRefusal(billing.exportStatement);
  return (
    <ButtonRow>
      <Button icon="download" refusal={refusal} onClick={() => void savePdf({ account, query: {} })}>
        Statement (PDF)
      </Button>
      <Button icon="download" refusal={refusal} onClick={() => void save({ account, query: { format: 'csv' } })}>
        Statement (CSV)
      </Button>
    </ButtonRow>
  );
}

function Closed({ account }: { account: Account }) {
  const refusal = useRefusal(billing.getBilling);
  if (refusal)
    return (
      <EmptyState title="Its invoices aren’t shown to you">
        {refusal.reason} A corporate contact of {account.accountName} has them.
      </EmptyState>
    );
  return <Invoices account={account.accountName} />;
}

function Invoices({ account }: { account: string }) {
  const answer = useRead(billingOf(account));
  const open = answer.invoices.filter(isOpenInvoice);
  return (
    <BillsOfClosed account={account} answer={answer} payable={open}>
      <Reactivation account={account} answer={answer} />
    </BillsOfClosed>
  );
}
