import { useRefusal } from '@portal/app-kit';
import { billing, type StaffAccountBilling } from '@portal/contract/billing/billing';
import { daysInWords } from '@portal/contract/billing/billing-calendar';
import { renewals } from '@portal/contract/billing/renewals';
import { Button } from '@portal/ui';
import { useState } from 'react';
import styles from './AccountPage.module.css';
import { ReasonDialog } from '../shell/ReasonDialog.tsx';

/** A term whose invoice was cancelled is not billed, until someone lets it be billed again. */
export function BillAgain({
  accountName,
  again,
  dueDays,
  own,
}: {
  accountName: string;
  again: StaffAccountBilling['again'];
  dueDays: number;
  own: boolean;
}) {
  const [asking, setAsking] = useState(false);
  const refusal = useRefusal(renewals.billAgain);
  if (again === null) return null;
  if (again === 'asked') return <p className={styles.credit}>The cancelled renewal is billed again within a minute.</p>;
  return (
    <p className={styles.credit}>
      <span>The renewal was cancelled, so nothing is billed for the coming term.</span>
      <Button
        size="s"
        refusal={refusal ?? (own ? { reason: 'You’re a contact of this account. A colleague has to do this.' } : null)}
        refusalIn="note"
        onClick={() => setAsking(true)}
      >
        Bill it again
      </Button>
      {asking && <Ask accountName={accountName} dueDays={dueDays} onClose={() => setAsking(false)} />}
    </p>
  );
}

function Ask({ accountName, dueDays, onClose }: { accountName: string; dueDays: number; onClose: () => void }) {
  return (
    <ReasonDialog
      endpoint={renewals.billAgain}
      body={renewals.billAgain.body}
      params={{ accountName }}
      name="bill-again"
      title="Bill the renewal again?"
      act="Bill it again"
      ifEmpty="Enter a reason. It’s kept with the account."
      done={`The invoice is issued within a minute. ${accountName} gets it by e-mail.`}
      refresh={[billing.getStaffBilling]}
      onClose={onClose}
    >
      <p className="small">
        A new invoice is issued for the number resources held when the term ends or ended, as they are recorded now. It’s due in{' '}
        {daysInWords(dueDays)}. The account is suspended and closed if it isn’t paid.
      </p>
    </ReasonDialog>
  );
}
