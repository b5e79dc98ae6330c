import { reading, useChange, useKit } from '@portal/app-kit';
import { accessRequests } from '@portal/contract/contacts/access-requests';
import { Banner, Button, DateText, Sheet } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import styles from './LinkRequests.module.css';
import { refusedWords } from './link-words.ts';

/** The accounts the person asked to be linked to, each with the way to remind those who can approve. Empty if there are none. */
export function LinkRequests() {
  const { call, notify } = useKit();
  const { data, error, dataUpdatedAt } = useQuery(reading(call, accessRequests.listLinkRequests, {}));
  const remind = useChange(accessRequests.linkAccount, {
    refresh: [accessRequests.listLinkRequests],
    showsErrors: true,
    onDone: (_, { body }) => notify({ text: `If ${body.accountName} exists, its contacts were reminded.` }),
  });
  const cancel = useChange(accessRequests.cancelLinkRequest, {
    refresh: [accessRequests.listLinkRequests],
    onDone: (_, { name }) => notify({ text: `Request to be linked to ${name} withdrawn.` }),
  });
  if (error)
    return (
      <Banner kind="warning" title="Your requests couldn’t be loaded." traceId={error.errors[0]?.traceId}>
        Reload the page to try again.
      </Banner>
    );
  if (!data || data.length === 0) return null;
  return (
    <Sheet title="You asked to be linked to" flush>
      {remind.error && (
        <div className={styles.failure}>
          <Banner kind="error">{refusedWords(remind.error)}</Banner>
        </div>
      )}
      <ul className={styles.requests}>
        {data.map(({ accountName, askedAt, remindFrom }) => (
          <li key={accountName}>
            <div className={styles.words}>
              <div className="strong">{accountName}</div>
              <div className="small quiet">
                asked on <DateText value={askedAt} />, not approved yet.{' '}
                {Date.parse(remindFrom) > dataUpdatedAt && (
                  <>
                    You can remind them from <DateText value={remindFrom} />.
                  </>
                )}
              </div>
            </div>
            {Date.parse(remindFrom) <= dataUpdatedAt && (
              <Button
                size="s"
                icon="mail"
                aria-label={`Remind the contacts of ${accountName}`}
                busy={remind.isPending && remind.variables.body.accountName === accountName}
                onClick={() => remind.mutate({ body: { accountName } })}
              >
                Remind
              </Button>
            )}
            <Button
              size="s"
              variant="quiet"
              aria-label={`Withdraw your request to be linked to ${accountName}`}
              busy={cancel.isPending && cancel.variables.name === accountName}
              onClick={() => cancel.mutate({ name: accountName })}
            >
              Withdraw
            </Button>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
