import { useChange, useKit, useRefusal } from '@portal/app-kit';
import { invoiceDay, money } from '@portal/app-kit/words/billing-words';
import { type AnnouncedFees, type FeeDesk, feeSchedules } from '@portal/contract/billing/fee-schedules';
import { proposals } from '@portal/contract/proposals/proposals';
import { Button, DateText } from '@portal/ui';
import styles from './Fees.module.css';
import { termWords } from './fee-words.ts';

/** Fees as they were announced, the latest first; those that have not begun can be withdrawn by two people. */
export function AnnouncedFeesTable({ desk: { announced, currency, today } }: { desk: FeeDesk }) {
  const amount = (text: string | undefined): string => (text === undefined ? 'None' : money('', text).trim());
  const factor = (text: string | undefined): string => (text === undefined ? '' : ` × ${Number(text)} ^ bits`);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and so it is reached by the keyboard
    <section className={styles.scroll} aria-label="Announced fees" tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Terms that begin</th>
            <th scope="col">Members, {currency}</th>
            <th scope="col">Non-members, {currency}</th>
            <th scope="col" className="num">
              Without addresses
            </th>
            <th scope="col" className="num">
              AS number
            </th>
            <th scope="col">Announced</th>
            <th scope="col">
              <span className="vh">Withdraw</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {announced.map(row => {
            const { validFrom, validUntil, announcedOn, fees } = row;
            const rules = fees.member ?? fees['non-member'];
            return (
              <tr key={`${validFrom} ${announcedOn}`} data-now={(validFrom <= today && today <= validUntil) || undefined}>
                <th scope="row">
                  {termWords(row)}
                  {validFrom <= today && today <= validUntil && <span className="quiet small"> in force</span>}
                </th>
                <td>
                  {amount(fees.member?.baseFee)}
                  <span className="quiet small">{factor(fees.member?.bitFactor)}</span>
                </td>
                <td>
                  {amount(fees['non-member']?.baseFee)}
                  <span className="quiet small">{factor(fees['non-member']?.bitFactor)}</span>
                </td>
                <td className="num">{amount(rules?.associateFee)}</td>
                <td className="num">{amount(rules?.asnFee)}</td>
                <td>
                  <DateText value={announcedOn} shape="day" format={invoiceDay} />
                </td>
                <td>{row.canWithdraw && <Withdraw fees={row} />}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function Withdraw({ fees }: { fees: AnnouncedFees }) {
  const { notify } = useKit();
  const refusal = useRefusal(feeSchedules.withdrawFees);
  const withdraw = useChange(feeSchedules.withdrawFees, {
    refresh: [feeSchedules.getFees, proposals.listStaffProposals],
    onDone: () => notify({ text: `The fees of ${termWords(fees)} are withdrawn.` }),
  });
  return (
    <Button
      size="s"
      variant="quiet"
      refusal={refusal}
      refusalIn="note"
      busy={withdraw.isPending}
      aria-label={`Withdraw the fees of ${termWords(fees)}`}
      onClick={() => withdraw.mutate({ validFrom: fees.validFrom })}
    >
      Withdraw
    </Button>
  );
}
