import { useAccount } from '@portal/app-kit';
import { invoiceDay, money } from '@portal/app-kit/words/billing-words';
import type { AccountBilling } from '@portal/contract/billing/billing';
import { CopyButton, DateText, Sheet } from '@portal/ui';
import styles from './BillingPage.module.css';
import { PayOnline } from './PayOnline.tsx';

/** The instructions, references and codes with which unpaid invoices are paid. */
export function HowToPay({ answer, open }: { answer: AccountBilling; open: AccountBilling['invoices'] }) {
  const { asStaff } = useAccount();
  return (
    <Sheet title="How to pay" id="how-to-pay">
      <div className={styles.instructions}>
        {answer.paymentInstructions.map(words => (
          <p key={words}>{words}</p>
        ))}
        {open.map(({ number, balance, currency, dueOn, extendedUntil, paymentReference }) => (
          <p key={number}>
            <b>
              {money(currency, balance)} for {number}
            </b>
            , due on <DateText value={dueOn} shape="day" format={invoiceDay} />. Reference:{' '}
            <b className={styles.reference}>{paymentReference}</b>{' '}
            <CopyButton text={paymentReference} label={`Copy the reference ${paymentReference}`} />{' '}
            {extendedUntil !== null && (
              <>
                You have more time until <DateText value={extendedUntil} shape="date" format={invoiceDay} />.{' '}
              </>
            )}
            {answer.payOnline !== null && !asStaff && <PayOnline number={number} provider={answer.payOnline} />}
          </p>
        ))}
        {answer.payCodes.map(({ number, size, path }) => (
          <figure key={number} className={styles.code}>
            <svg
              viewBox={`0 0 ${size} ${size}`}
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn from data
              role="img"
              aria-label={`QR code to pay ${number} with a banking app`}
              shapeRendering="crispEdges"
            >
              <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
              <path fill="#000" d={path} />
            </svg>
            <figcaption className="quiet small">Scan to pay {number} with a banking app.</figcaption>
          </figure>
        ))}
        <p className="quiet small">The full amount must arrive. The payer covers bank charges and withheld taxes.</p>
      </div>
    </Sheet>
  );
}
