import { useChange, useKit } from '@portal/app-kit';
import { notificationAddresses } from '@portal/contract/identity/notification-addresses';
import { notificationPreferences } from '@portal/contract/notifications/preferences';
import { type TopicKey, topics } from '@portal/contract/notifications/topics';
import { Button, Icon, Row, TextInput } from '@portal/ui';
import { useState } from 'react';
import styles from './NotificationSettings.module.css';

type Props = { topic: TopicKey; address: string | null; asked: string | null; locked: boolean };

/** Address for the e-mails of one topic, if not the login's: it has to be confirmed first. */
export function TopicAddress({ topic, address, asked, locked }: Props) {
  const { notify } = useKit();
  const [typed, setTyped] = useState<string | null>(null);
  const set = useChange(notificationAddresses.setNotificationAddress, {
    refresh: [notificationPreferences.getNotificationPreferences],
    onDone: (_, { body: { email } }) => {
      setTyped(null);
      notify({
        text: email ? `Link sent to ${email}. The address is used once the link is opened.` : 'They go to your login’s address again.',
      });
    },
  });
  const { label } = topics[topic];
  return (
    <div className={styles.address}>
      {address && (
        <p>
          {locked ? 'Also to' : 'Only to'} {address}
        </p>
      )}
      {asked && (
        <p>
          <Icon name="clock" /> {asked} has yet to confirm it
        </p>
      )}
      {typed === null ? (
        <Row gap={4} wrap>
          <Button size="s" variant="quiet" aria-label={`Change e-mail for ${label}`} onClick={() => setTyped('')}>
            Change e-mail
          </Button>
          {(address ?? asked) !== null && (
            <Button
              size="s"
              variant="quiet"
              aria-label={`Remove the e-mail for ${label}`}
              onClick={() => set.mutate({ body: { topic, email: null } })}
            >
              Remove
            </Button>
          )}
        </Row>
      ) : (
        <form
          onSubmit={event => {
            event.preventDefault();
            set.mutate({ body: { topic, email: typed.trim() } });
          }}
        >
          <Row gap={4} wrap>
            <TextInput
              type="email"
              required
              autoComplete="off"
              maxLength={254}
              aria-label={`E-mail address for ${label}`}
              value={typed}
              onChange={event => setTyped(event.target.value)}
            />
            <Button size="s" type="submit" busy={set.isPending}>
              Send a link
            </Button>
            <Button size="s" variant="quiet" onClick={() => setTyped(null)}>
              Cancel
            </Button>
          </Row>
        </form>
      )}
    </div>
  );
}
