import type { CSSProperties } from 'react';
import { money } from '@portal/app-kit/words/billing-words';
import type { StaffResourceRequest } from '@portal/contract/requests/desk';
import { formatCount, KeyValueList, ResourceName } from '@portal/ui';
import { AccountLink, asHeading, Part } from './Parts.tsx';
import styles from './Request.module.css';

/** Delegations that are drawn; the account’s page shows all. */
const MAX_HOLDINGS = 6;

/** The account that a request is from, with what it holds, pays and asked for before. */
export function RequestAccount({ request }: { request: StaffResourceRequest }) {
  const { accountName, accountStatus, earlier, fee, holdings, lockedParts, orgName, reviewer } = request;
  return (
    <Part title="The account">
      <KeyValueList
        align="left"
        items={[
          { key: 'Account', value: <AccountLink accountName={accountName} /> },
          { key: 'Legal name', value: orgName },
          { key: 'Status', value: asHeading(accountStatus) },
          ...(holdings.length === 0 ? [{ key: 'Holds', value: 'No resources' }] : []),
          ...(lockedParts.length > 0
            ? [{ key: 'Locked', value: lockedParts.map(({ resource, reference }) => `${resource} by ${reference}`).join(', ') }]
            : []),
          ...(fee ? [{ key: 'Annual fee', value: `${money(fee.currency, fee.now)}, then ${money(fee.currency, fee.after)}` }] : []),
          { key: 'Earlier requests', value: `${earlier.approved} approved, ${earlier.rejected} rejected` },
          ...(reviewer ? [{ key: 'Reviewer', value: reviewer }] : []),
        ]}
      />
      {holdings.length > 0 && (
        <ul className={styles.holdings} aria-label="Holdings">
          {holdings.slice(0, MAX_HOLDINGS).map(holding => (
            <Holding key={holding.resource} holding={holding} />
          ))}
        </ul>
      )}
      {holdings.length > MAX_HOLDINGS && <p className="quiet small">and {formatCount(holdings.length - MAX_HOLDINGS)} more</p>}
    </Part>
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
