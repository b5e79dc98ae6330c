import { useSession } from '@portal/app-kit';
import { Banner, Link } from '@portal/ui';
import type { ReactNode } from 'react';

/** A state of the account that changes the meaning of its pages: suspended, closed, historical. The shell says that staff only read. */
export function AccountNote() {
  const { account } = useSession();
  if (!account) return null;
  const notes: ReactNode[] = [];
  if (account.accountStatus === 'suspended')
    notes.push(
      <Banner key="suspended" kind="warning" title={`${account.accountName} is suspended.`}>
        Its resources stay registered and can be viewed. Requests and transfers are on hold until the renewal is paid
        {account.permissions.includes('member-billing-view') && !account.asStaff ? (
          <>
            : <Link href="/member-account-settings/billing">billing</Link>.
          </>
        ) : (
          '.'
        )}
      </Banner>,
    );
  if (account.accountStatus === 'closed')
    notes.push(
      <Banner key="closed" kind="warning" title={`${account.accountName} is closed.`}>
        This page shows its last registration.
      </Banner>,
    );
  if (account.accountType === 'historical')
    notes.push(
      <Banner key="historical" title="Historical resources.">
        They were registered before current policies, without a membership. Changes need an agreement with the registry first.
      </Banner>,
    );
  return notes.length > 0 ? <div style={{ display: 'grid', gap: 8, marginBottom: 16 }}>{notes}</div> : null;
}
