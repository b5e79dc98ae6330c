import type { Session } from '@portal/app-kit';
import { optionalPart } from '@portal/app-kit/page/later';
import { TopBarButton } from '@portal/ui';
import { useTopBarPopover } from './top-bar-popover.ts';
import styles from './PortalTopBar.module.css';

const AccountPicker = optionalPart(() => import('@portal/ui/picker/AccountPicker'), 'AccountPicker');

/** The member account the person acts for: plain text with one, a searchable list with more (specification, section 2). */
export function AccountSwitcher({ session: { accounts, account, selectAccount } }: { session: Session }) {
  const { isWanted, button, popover } = useTopBarPopover(AccountPicker.ahead);
  if (!account) return null;
  const others = accounts.filter(other => other.accountName !== account.accountName);
  if (others.length === 0) return <span className={styles.account}>{account.accountName}</span>;
  return (
    <>
      <TopBarButton
        {...button}
        icon="building"
        words={account.accountName}
        storeWords
        opens="dialog"
        aria-label={`Member account ${account.accountName}, change`}
      />
      {isWanted && (
        <AccountPicker
          {...popover}
          accounts={accounts.map(({ accountName, orgName, accountStatus }) => ({
            accountName,
            organisation: orgName,
            ...(accountStatus !== 'open' && { note: accountStatus }),
          }))}
          current={account.accountName}
          onPick={selectAccount}
        />
      )}
    </>
  );
}
