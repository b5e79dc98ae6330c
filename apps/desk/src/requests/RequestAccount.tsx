import { money } from '@portal/app-kit/words/billing-words';
import type { StaffResourceRequest } from '@portal/contract/requests/desk';
import { formatCount, KeyValueList, Meter, ResourceName } from '@portal/ui';
import { AccountLink, Part } from './Parts.tsx';
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
          { key: 'Status', value: accountStatus.charAt(0).toUpperCase() + accountStatus.slice(1) },
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
          {holdings.slice(0, MAX_HOLDINGS).map(({ resource, kind, size, used }) => (
            <li key={resource}>
              <ResourceName kind={kind} text={resource} />
              {kind !== 'asn' && <Meter kind={kind} share={Number((BigInt(used) * 1000n) / (BigInt(size) || 1n)) / 1000} label="Used" />}
            </li>
          ))}
        </ul>
      )}
      {holdings.length > MAX_HOLDINGS && <p className="quiet small">and {formatCount(holdings.length - MAX_HOLDINGS)} more</p>}
    </Part>
  );
}
