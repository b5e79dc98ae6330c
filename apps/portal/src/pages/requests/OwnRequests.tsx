import { reading, useAccount, useChange, useKit } from '@portal/app-kit';
import { permissions } from '@portal/contract';
import { accessRequests } from '@portal/contract/contacts/access-requests';
import { contacts } from '@portal/contract/contacts/contacts';
import { Button, DateText, Sheet } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import styles from '../../shell/People.module.css';

const words = {
  link: 'to be linked',
  'add-contact': 'for a contact to be added',
  'remove-contact': 'for a contact to be removed',
  'change-role': 'for other contact types',
  permission: 'for permissions',
} as const;

/** The person's open requests to the account's contacts, each can be cancelled. Renders nothing without any. */
export function OwnRequests() {
  const { accountName: account, asStaff } = useAccount();
  const { call, notify } = useKit();
  const { data } = useQuery({ ...reading(call, accessRequests.listOwnRequests, { account }), enabled: !asStaff });
  const cancel = useChange(accessRequests.cancelOwnRequest, {
    refresh: [accessRequests.listOwnRequests, contacts.getMyPermissions],
    onDone: () => notify({ text: 'Request withdrawn.' }),
  });
  if (!data || data.length === 0) return null;
  return (
    <Sheet title="You asked" flush>
      <ul className={styles.list}>
        {data.map(({ requestId, kind, permissions: asked, requestedAt, expiresAt }) => (
          <li key={requestId}>
            <div className={styles.words}>
              <div>
                {words[kind]}
                {asked.length > 0 && `: ${asked.map(key => permissions[key].label).join(', ')}`}
              </div>
              <div className="small quiet">
                on <DateText value={requestedAt} shape="date" />, expires <DateText value={expiresAt} shape="date" />
              </div>
            </div>
            <Button
              size="s"
              aria-label={`Withdraw your request ${words[kind]}`}
              busy={cancel.isPending && cancel.variables.requestId === requestId}
              onClick={() => cancel.mutate({ account, requestId })}
            >
              Withdraw
            </Button>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
