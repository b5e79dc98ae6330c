import type { Endpoint } from '@portal/contract';
import { billing } from '@portal/contract/billing/billing';
import { corrections } from '@portal/contract/billing/corrections';
import { reactivations } from '@portal/contract/billing/reactivations';
import { documents } from '@portal/contract/documents/documents';
import { organisations } from '@portal/contract/organisations/organisations';
import { directDelegations } from '@portal/contract/requests/direct-delegations';
import { recoveries } from '@portal/contract/requests/recoveries';
import { resourceLocks } from '@portal/contract/resources/locks';
import { restraints } from '@portal/contract/restraints/restraints';
import { staff } from '@portal/contract/staff/staff';
import type { AccountSheet } from '@portal/contract/staff/desk';
import { tickets } from '@portal/contract/tickets/tickets';
import { Disclosure, Link, Sheet } from '@portal/ui';
import { useMay } from '../shell/use-may.ts';
import { WriteInPlace } from '../shell/WriteButton.tsx';
import { AccountRestraints } from './AccountRestraints.tsx';
import styles from './Picture.module.css';

type Row = {
  act: string;
  link: string;
  call: Endpoint;
  effect: string;
  notice: string;
  undo: string;
};

/** Acts of staff on an account on this page, and what each does. */
const rows: readonly Row[] = [
  {
    act: 'View as the member',
    link: '#top',
    call: staff.startVisit,
    effect: 'All pages of the member, read-only for half an hour',
    notice: 'In the activity log',
    undo: 'Stop viewing',
  },
  {
    act: 'Change the economy',
    link: '#organisation',
    call: organisations.setEconomy,
    effect: 'Whois, RDAP and statistics name the new economy',
    notice: 'By e-mail and in the log',
    undo: 'Change it back',
  },
  {
    act: 'Confirm the release of a lock',
    link: '#locks',
    call: resourceLocks.confirmStaffRelease,
    effect: 'The resources can be transferred after a delay',
    notice: 'By e-mail and in the log',
    undo: 'The member locks them again',
  },
  {
    act: 'Delegate numbers directly',
    link: '#direct-delegation',
    call: directDelegations.openDirectDelegation,
    effect: 'A case opens, and the block is held for it',
    notice: 'By e-mail: it can decline',
    undo: 'Reject the case',
  },
  {
    act: 'Take numbers back',
    link: '#recovery',
    call: recoveries.openRecovery,
    effect: 'A case opens; the numbers are locked until the notice ends',
    notice: 'By e-mail: it can object',
    undo: 'Reject the case',
  },
  {
    act: 'Record a payment',
    link: '#billing',
    call: billing.recordPayment,
    effect: 'The invoice is paid; a suspension for it ends',
    notice: 'A receipt by e-mail',
    undo: 'Reverse the payment',
  },
  {
    act: 'Give more time to pay',
    link: '#billing',
    call: billing.extendInvoice,
    effect: 'The invoice is due later; reminders wait',
    notice: 'By e-mail',
    undo: 'No way back',
  },
  {
    act: 'Issue a credit note',
    link: '#billing',
    call: corrections.issueCreditNote,
    effect: 'Less is owed, or credit is kept for the next invoice',
    notice: 'The document by e-mail',
    undo: 'No way back',
  },
  {
    act: 'Write off an invoice',
    link: '#billing',
    call: corrections.writeOffInvoice,
    effect: 'Nothing is owed any more; the books show a loss',
    notice: 'By e-mail',
    undo: 'No way back',
  },
  {
    act: 'Reactivate a closed account',
    link: '#billing',
    call: reactivations.startReactivation,
    effect: 'The account opens once its invoice is paid',
    notice: 'By e-mail',
    undo: 'End the reactivation',
  },
  {
    act: 'Send a document',
    link: '#documents',
    call: documents.addStaffDocument,
    effect: 'Contacts who read documents see it',
    notice: 'By e-mail',
    undo: 'Delete the document',
  },
];

/** Holds and restrictions of an account, and below them all acts on it that the person’s roles open, each with what happens, who is notified, who decides and the way back. */
export function AccountActs({ sheet }: { sheet: AccountSheet }) {
  const may = useMay();
  const { accountName } = sheet.account;
  const shown = rows.filter(({ call }) => may(call));
  return (
    <>
      {may(restraints.listRestraints) && (
        <AccountRestraints accountName={accountName} message={may(tickets.openStaffTicket) && <WriteInPlace sheet={sheet} />} />
      )}
      {shown.length > 0 && <ActList accountName={accountName} shown={shown} isAlone={!may(restraints.listRestraints)} />}
    </>
  );
}

/** Links to the acts, and what each does folded under them. @param isAlone whether nothing else on the page is about acts: then it is open */
function ActList({ accountName, shown, isAlone }: { accountName: string; shown: readonly Row[]; isAlone: boolean }) {
  return (
    <Sheet title="Other acts on this account">
      <ul className={styles.actLinks}>
        {shown.map(({ act, link }) => (
          <li key={act}>
            <Link href={link}>{act}</Link>
          </li>
        ))}
      </ul>
      <Disclosure summary={`What each one does to ${accountName}, who decides, and the way back`} open={isAlone}>
        <table className={styles.actTable}>
          <caption className="vh">Other acts on this account</caption>
          <thead>
            <tr>
              <th scope="col">Act</th>
              <th scope="col">What happens</th>
              <th scope="col">Member’s notice</th>
              <th scope="col">Who decides</th>
              <th scope="col">To undo</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ act, call, effect, notice, undo }) => (
              <tr key={act}>
                <th scope="row">{act}</th>
                <td data-label="What happens">{effect}</td>
                <td data-label="Member’s notice">{notice}</td>
                <td data-label="Who decides">
                  {call.secondPersonWhen ? `You, and a second person where it is about ${call.secondPersonWhen}` : 'You'}
                </td>
                <td data-label="To undo">{undo}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Disclosure>
    </Sheet>
  );
}
