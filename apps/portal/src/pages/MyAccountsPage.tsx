import { Page, useKit, useSession } from '@portal/app-kit';
import type { Account } from '@portal/contract/accounts';
import { permissions } from '@portal/contract/permissions';
import { Badge, Button, DateText, EmptyState, LinkButton, Panel, Sheet, StateMark, Switch } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/DataTable';
import { useState } from 'react';
import { accountTypeWords, contactWords } from './account-words.ts';
import styles from './MyAccountsPage.module.css';

/** Every account of the person: which is selected, in which role, what may be done in it. */
export default function MyAccountsPage() {
  const { accounts, closedAccounts, account, selectAccount } = useSession();
  const { notify } = useKit();
  const [withClosed, setWithClosed] = useState(false);
  const [state, setState] = useState(emptyTableState);
  const [open, setOpen] = useState<string | null>(null);
  const listed = sorted(withClosed ? [...accounts, ...closedAccounts] : accounts, state.sort);
  const shown = listed.find(row => row.accountName === open) ?? null;

  const select = (accountName: string) => {
    selectAccount(accountName);
    notify({ text: `${accountName} is selected.`, link: { href: '/', label: 'Open it' } });
  };
  const columns: Column<Account>[] = [
    {
      id: 'accountName',
      label: 'Account',
      sortable: true,
      fixed: true,
      card: 'key',
      cell: row => (
        <>
          <span className="strong">{row.accountName}</span>{' '}
          {row.accountName === account?.accountName && <Badge kind="line">selected</Badge>}
        </>
      ),
      text: row => row.accountName,
    },
    { id: 'orgName', label: 'Organisation', sortable: true, wrap: true, cell: row => row.orgName },
    { id: 'economy', label: 'Economy', sortable: true, cell: row => row.economy ?? 'not recorded' },
    { id: 'accountType', label: 'Type', sortable: true, cell: row => accountTypeWords(row.accountType) },
    {
      id: 'accountStatus',
      label: 'Status',
      sortable: true,
      card: 'state',
      cell: row => <Status status={row.accountStatus} />,
      text: row => row.accountStatus,
    },
    { id: 'contactTypes', label: 'You are', cell: row => contactWords(row.contactTypes), wrap: true },
    {
      id: 'expiryDate',
      label: 'Term ends',
      sortable: true,
      cell: row =>
        row.expiryDate ? <DateText value={row.expiryDate} shape="date" format={{ timeZone: 'UTC', hourCycle: 'h23' }} /> : 'none',
      text: row => row.expiryDate ?? '',
    },
  ];

  if (accounts.length + closedAccounts.length === 0)
    return (
      <Page title="My accounts">
        <Sheet>
          <EmptyState
            title="You are no contact of an account yet"
            action={<LinkButton href="/link-existing-membership">Link an existing membership</LinkButton>}
          >
            Accounts stand here once a corporate contact has invited you, or after you linked a membership to this login.
          </EmptyState>
        </Sheet>
      </Page>
    );
  return (
    <Page title="My accounts" sub="The selected account is the one all other pages are about. Press a row to see what you may do in it.">
      <div className={shown ? styles.split : undefined}>
        <Sheet flush>
          <DataTable
            caption="Accounts you are a contact of"
            columns={columns}
            rows={listed}
            rowId={row => row.accountName}
            state={state}
            onStateChange={setState}
            total={listed.length}
            pageSize={listed.length || 1}
            onOpen={row => setOpen(row.accountName)}
            current={open}
            rowActions={row =>
              row.accountStatus !== 'closed' &&
              row.accountName !== account?.accountName && (
                <Button size="s" onClick={() => select(row.accountName)} aria-label={`Select ${row.accountName}`}>
                  Select
                </Button>
              )
            }
            tools={
              closedAccounts.length > 0 && (
                <Switch checked={withClosed} onChange={event => setWithClosed(event.target.checked)}>
                  Show closed ({closedAccounts.length})
                </Switch>
              )
            }
          />
        </Sheet>
        {shown && (
          <AccountPanel
            account={shown}
            selected={shown.accountName === account?.accountName}
            onSelect={select}
            onClose={() => setOpen(null)}
          />
        )}
      </div>
    </Page>
  );
}

function Status({ status }: { status: Account['accountStatus'] }) {
  if (status === 'open') return <StateMark state="valid">open</StateMark>;
  if (status === 'suspended') return <StateMark state="warning">suspended</StateMark>;
  if (status === 'closed') return <StateMark state="closed">closed</StateMark>;
  return <Badge>{status}</Badge>;
}

function AccountPanel({
  account,
  selected,
  onSelect,
  onClose,
}: {
  account: Account;
  selected: boolean;
  onSelect: (accountName: string) => void;
  onClose: () => void;
}) {
  const groups = new Map<string, string[]>();
  for (const key of account.permissions) {
    const { group, label } = permissions[key];
    groups.set(group, [...(groups.get(group) ?? []), label]);
  }
  return (
    <Panel
      title={account.accountName}
      sub={account.orgName}
      onClose={onClose}
      footer={
        !selected &&
        account.accountStatus !== 'closed' && (
          <Button variant="primary" onClick={() => onSelect(account.accountName)}>
            Select this account
          </Button>
        )
      }
    >
      <h3>What you may do here</h3>
      {groups.size === 0 && <p className="small muted">Nothing: you hold no permission in this account.</p>}
      <dl className={styles.permissions}>
        {[...groups].map(([group, labels]) => (
          <div key={group}>
            <dt>{group.charAt(0).toUpperCase() + group.slice(1)}</dt>
            <dd>{labels.join(', ')}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/** The accounts in the order the table asks for; by name otherwise, closed ones last. */
function sorted(list: readonly Account[], sort: typeof emptyTableState.sort): Account[] {
  if (!sort) return [...list];
  const key = sort.column as 'accountName' | 'orgName' | 'economy' | 'accountType' | 'accountStatus' | 'expiryDate';
  const turn = sort.descending ? -1 : 1;
  return [...list].sort((a, b) => turn * (a[key] ?? '').localeCompare(b[key] ?? '', 'en'));
}
