import { useChange, useKit } from '@portal/app-kit';
import { Form, FormProblems } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { notificationAddresses } from '@portal/contract/identity/notification-addresses';
import { notificationPreferences } from '@portal/contract/notifications/preferences';
import { type TopicKey, topics } from '@portal/contract/notifications/topics';
import { Button, Field, Icon, Row, TextInput } from '@portal/ui';
import { useState } from 'react';
import styles from './NotificationSettings.module.css';

type Props = { topic: TopicKey; address: string | null; asked: string | null; locked: boolean };

/** Address for the e-mails of one topic, if not the login's: it has to be confirmed first. */
export function TopicAddress({ topic, address, asked, locked }: Props) {
  const { notify } = useKit();
  const [isOpen, setOpen] = useState(false);
  const set = useChange(notificationAddresses.setNotificationAddress, {
    refresh: [notificationPreferences.getNotificationPreferences],
    showsErrors: isOpen,
    onDone: (_, { body: { email } }) => {
      setOpen(false);
      form.reset();
      notify({
        text: email ? `Link sent to ${email}. The address is used once the link is opened.` : 'They go to your login’s address again.',
      });
    },
  });
  const form = useForm(
    notificationAddresses.setNotificationAddress.body,
    { email: '' },
    {
      name: `topic-address-${topic.replaceAll('.', '-')}`,
      toBody: ({ email }) => ({ topic, email }),
      ifEmpty: { email: 'Enter an e-mail address' },
      change: set,
      send: body => set.mutate({ body }),
    },
  );
  const { label } = topics[topic];
  const close = () => {
    setOpen(false);
    form.reset();
  };
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
      {!isOpen ? (
        <Row gap={4} wrap>
          <Button size="s" variant="quiet" aria-label={`Change e-mail for ${label}`} onClick={() => setOpen(true)}>
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
        <Form form={form} label={`E-mail address for ${label}`} bare onClose={close}>
          <FormProblems form={form} />
          <Row gap={4} wrap>
            <Field label={<span className="vh">E-mail address for {label}</span>} {...form.field('email')}>
              <TextInput type="email" {...form.input('email')} />
            </Field>
            <Button size="s" type="submit" busy={form.busy}>
              Send a link
            </Button>
            <Button size="s" variant="quiet" onClick={close}>
              Cancel
            </Button>
          </Row>
        </Form>
      )}
    </div>
  );
}
