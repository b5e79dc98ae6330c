import { Page, useAnswer, useDownload } from '@portal/app-kit';
import { invoiceDay, money } from '@portal/app-kit/words/billing-words';
import { type JointAccount, type JointBilling, jointBilling } from '@portal/contract/billing/joint-billing';
import { pages } from '@portal/contract/pages';
import { Banner, Button, DateText, EmptyState, Sheet, Stack, StateMark } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { DueInvoices } from './DueInvoices.tsx';
import { JointPayments, PaidTogether } from './JointPayments.tsx';
import styles from './JointBilling.module.css';

/** Unpaid invoices of all accounts of the person, and one payment for several of them. */
export default function JointBillingPage() {
  const save = useDownload(jointBilling.exportJointStatement);
  return (
    <Page
      title={pages.jointBilling.title}
      sub="Unpaid invoices of every account whose billing you can view. Pay several with one transfer."
      actions={
        <Button icon="download" onClick={() => void save({ query: { format: 'csv' } })}>
          Statements (CSV)
        </Button>
      }
    >
      <Together />
    </Page>
  );
}

function Together() {
  const answer = useAnswer(jointBilling.getJointBilling, {});
  const { accounts, leftOut, payments } = answer;
  if (accounts.length === 0)
    return (
      <Sheet flush>
        <EmptyState title="No accounts" picture={false}>
          Accounts appear here when you can view their billing.
        </EmptyState>
        <LeftOut leftOut={leftOut} />
      </Sheet>
    );
  return (
    <Stack gap={16}>
      <PaidTogether />
      {payments.length > 0 && <JointPayments answer={answer} />}
      <DueInvoices answer={answer} />
      <Accounts accounts={accounts} leftOut={leftOut} />
    </Stack>
  );
}

const columns: Column<JointAccount>[] = [
  { id: 'account', label: 'Account', fixed: true, card: 'key', cell: row => row.accountName, text: row => row.accountName },
  { id: 'organisation', label: 'Organisation', fixed: true, wrap: true, card: 'wide', cell: row => <bdi>{row.orgName}</bdi> },
  {
    id: 'state',
    label: 'Status',
    fixed: true,
    card: 'state',
    cell: row => (
      <StateMark state={row.accountStatus === 'suspended' ? 'warning' : 'valid'}>
        {row.accountStatus === 'suspended' ? 'Suspended' : 'Open'}
      </StateMark>
    ),
  },
  {
    id: 'ends',
    label: 'Term ends',
    fixed: true,
    cell: row =>
      row.expiryDate ? <DateText value={row.expiryDate} shape="date" format={invoiceDay} /> : <span className="quiet">None</span>,
  },
  { id: 'credit', label: 'Credit', fixed: true, align: 'end', cell: row => money(row.currency, row.credit) },
  { id: 'owed', label: 'To pay', fixed: true, align: 'end', cell: row => <b>{money(row.currency, row.owed)}</b> },
];

function Accounts({ accounts, leftOut }: Pick<JointBilling, 'accounts' | 'leftOut'>) {
  return (
    <Sheet title="Accounts" meta={<span>{accounts.length}</span>} flush>
      <DataTable
        caption="Accounts whose billing you can view"
        columns={columns}
        rows={accounts}
        rowId={row => row.accountName}
        state={emptyTableState}
        onStateChange={() => {}}
        total={accounts.length}
        pageSize={accounts.length}
      />
      <LeftOut leftOut={leftOut} />
    </Sheet>
  );
}

/** Accounts of the person whose billing is not shown, and why. */
function LeftOut({ leftOut }: Pick<JointBilling, 'leftOut'>) {
  const of = (reason: JointBilling['leftOut'][number]['why']): string =>
    leftOut
      .filter(({ why }) => why === reason)
      .map(({ accountName }) => accountName)
      .join(', ');
  const [permission, factor] = [of('permission'), of('second-factor')];
  return (
    <>
      {permission !== '' && (
        <p className={styles.leftOut}>Not shown, because you don’t have the permission “View billing” there: {permission}.</p>
      )}
      {factor !== '' && (
        <div className={styles.leftOut}>
          <Banner kind="info" title="Some accounts need two-factor authentication.">
            Sign in with your second factor to see {factor}.
          </Banner>
        </div>
      )}
    </>
  );
}
