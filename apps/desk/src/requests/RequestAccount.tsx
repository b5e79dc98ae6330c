import { money } from '@portal/app-kit/words/billing-words';
import type { StaffResourceRequest } from '@portal/contract/requests/desk';
import { KeyValueList } from '@portal/ui';
import { AccountLink, Part } from './Parts.tsx';

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
          { key: 'Holds', value: holdings.map(({ resource }) => resource).join(', ') || 'No resources' },
          ...(lockedParts.length > 0
            ? [{ key: 'Locked', value: lockedParts.map(({ resource, reference }) => `${resource} by ${reference}`).join(', ') }]
            : []),
          ...(fee ? [{ key: 'Annual fee', value: `${money(fee.currency, fee.now)}, then ${money(fee.currency, fee.after)}` }] : []),
          { key: 'Earlier requests', value: `${earlier.approved} approved, ${earlier.rejected} rejected` },
          ...(reviewer ? [{ key: 'Reviewer', value: reviewer }] : []),
        ]}
      />
    </Part>
  );
}
