import { useSession } from '@portal/app-kit';
import { Banner, Link } from '@portal/ui';
import type { ReactNode } from 'react';

/** What holds for the account on the screen and changes what its pages mean: suspended, closed, historical. That staff only read is said by the shell. */
export function AccountNote() {
  const { account } = useSession();
  if (!account) return null;
  const notes: ReactNode[] = [];
  if (account.accountStatus === 'suspended')
    notes.push(
      <Banner key="suspended" kind="warning" title={`${account.accountName} is suspended.`}>
        Its resources stay registered and can be looked at. Requests and transfers wait until the renewal is paid
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
        What stands here is what was registered.
      </Banner>,
    );
  if (account.accountType === 'historical')
    notes.push(
      <Banner key="historical" title="Historical resources.">
        They were registered before the registry’s policies and have no membership behind them. The record is kept as it is; changes need an
        agreement with the registry first.
      </Banner>,
    );
  return notes.length > 0 ? <div style={{ display: 'grid', gap: 8, marginBottom: 16 }}>{notes}</div> : null;
}
