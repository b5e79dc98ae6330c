import type { ReactNode, RefObject } from 'react';
import { Autocomplete, Dialog, Input, ListBox, ListBoxItem, Popover, SearchField, useFilter } from 'react-aria-components';
import { Icon } from '../text/Icon.tsx';
import styles from './AccountPicker.module.css';

export type PickableAccount = { accountName: string; organisation: string; note?: ReactNode };

/** The accounts a person may act for: type to narrow, Enter to change. It hangs at an element that the caller draws. */
export function AccountPicker({
  triggerRef,
  open,
  onOpenChange,
  accounts,
  current,
  onPick,
}: {
  triggerRef: RefObject<Element | null>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  accounts: readonly PickableAccount[];
  current?: string | null;
  onPick: (accountName: string) => void;
}) {
  const { contains } = useFilter({ sensitivity: 'base' });
  return (
    <Popover
      className={styles.popover ?? ''}
      triggerRef={triggerRef}
      isOpen={open}
      onOpenChange={onOpenChange}
      placement="bottom end"
      offset={4}
    >
      <Dialog className={styles.dialog ?? ''} aria-label="Change account">
        <Autocomplete filter={contains}>
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- opened by a press: the focus belongs here */}
          <SearchField className={styles.search ?? ''} aria-label="Find an account" autoFocus>
            <Icon name="search" />
            <Input placeholder="Find an account" />
          </SearchField>
          <ListBox
            className={styles.list ?? ''}
            aria-label="Accounts"
            items={accounts}
            selectionMode="single"
            selectedKeys={current ? [current] : []}
            disallowEmptySelection
            onSelectionChange={keys => {
              const [picked] = keys === 'all' ? [] : keys;
              onOpenChange(false);
              if (picked !== undefined && picked !== current) onPick(String(picked));
            }}
            renderEmptyState={() => <p className={styles.none}>No matching account.</p>}
          >
            {account => (
              <ListBoxItem
                id={account.accountName}
                textValue={`${account.accountName} ${account.organisation}`}
                className={styles.item ?? ''}
              >
                <Icon name="check" className={account.accountName === current ? undefined : styles.other} />
                <span className={styles.words}>
                  <b>{account.accountName}</b>
                  <span className={styles.organisation}>{account.organisation}</span>
                </span>
                {account.note && <span className={styles.note}>{account.note}</span>}
              </ListBoxItem>
            )}
          </ListBox>
        </Autocomplete>
      </Dialog>
    </Popover>
  );
}
