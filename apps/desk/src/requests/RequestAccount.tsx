import type { CSSProperties } from 'react';
import { money } from '@portal/app-kit/words/billing-words';
import type { StaffResourceRequest } from '@portal/contract/requests/desk';
import { formatCount, ResourceName } from '@portal/ui';
import { CaseAccount } from './CaseAccount.tsx';
import styles from './Request.module.css';

/** Delegations that are drawn; the account’s page shows all. */
const MAX_HOLDINGS = 6;

/** The account that a request is from, with what it holds, pays and asked for before, and how it does. */
export function RequestAccount({ request }: { request: StaffResourceRequest }) {
  const { accountName, accountStatus, direct, earlier, economy, fee, holdings, lockedParts, orgName, recovery, requestedBy, reviewer } =
    request;
  return (
    <CaseAccount
      accountName={accountName}
      accountStatus={accountStatus}
      orgName={orgName}
      economy={economy}
      holdings={holdings.length > 0 && <Holdings holdings={holdings} />}
      items={[
        ...(holdings.length === 0 ? [{ key: 'Holds', value: 'No resources' }] : []),
        ...(lockedParts.length > 0
          ? [{ key: 'Locked', value: lockedParts.map(({ resource, reference }) => `${resource} by ${reference}`).join(', ') }]
          : []),
        ...(fee ? [{ key: `Annual fee, ${fee.currency}`, value: feeWords(fee) }] : []),
        { key: 'Past requests', value: `${formatCount(earlier.approved)} approved, ${formatCount(earlier.rejected)} rejected` },
        ...(direct || recovery ? [] : [{ key: 'Requested by', value: requestedBy }]),
        ...(reviewer ? [{ key: 'Reviewer', value: reviewer }] : []),
      ]}
    />
  );
}

/** The annual fee now, and after what is asked for where that changes it; the currency is named beside it. */
function feeWords({ currency, now, after }: NonNullable<StaffResourceRequest['fee']>): string {
  const amount = (value: string): string => money(currency, value).replace(`${currency}\u00a0`, '').replace(`${currency} `, '');
  return now === after ? amount(now) : `${amount(now)} → ${amount(after)}`;
}

function Holdings({ holdings }: Pick<StaffResourceRequest, 'holdings'>) {
  return (
    <>
      <ul className={styles.holdings} aria-label="Holdings">
        {holdings.slice(0, MAX_HOLDINGS).map(holding => (
          <Holding key={holding.resource} holding={holding} />
        ))}
      </ul>
      {holdings.length > MAX_HOLDINGS && <p className="quiet small">and {formatCount(holdings.length - MAX_HOLDINGS)} more</p>}
    </>
  );
}

const percentOf = (share: number): string => `${formatCount(Math.round(share * 100))} %`;

/** One delegation with its used share, and which sixteenths of it are used. */
function Holding({ holding: { resource, kind, size, used, parts } }: { holding: StaffResourceRequest['holdings'][number] }) {
  const share = Number((BigInt(used) * 1000n) / (BigInt(size) || 1n)) / 1000;
  return (
    <li>
      <span className={styles.holding}>
        <ResourceName kind={kind} text={resource} />
        {kind !== 'asn' && <span>{percentOf(share)} used</span>}
      </span>
      {parts && (
        <span
          className={styles.useStrip}
          data-kind={kind}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is drawn of elements, not loaded
          role="img"
          aria-label={`Used of each sixteenth, in the order of addresses: ${parts.map(percentOf).join(', ')}`}
        >
          {parts.map((part, place) => (
            <i key={place} style={{ '--used': `${Math.round(part * 100)}%` } as CSSProperties} />
          ))}
        </span>
      )}
    </li>
  );
}
