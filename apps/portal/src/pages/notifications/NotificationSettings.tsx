import { useAnswer, useChange } from '@portal/app-kit';
import type { AnswerOf } from '@portal/contract';
import { deliveries, type Delivery } from '@portal/contract/notifications/deliveries';
import { notificationPreferences } from '@portal/contract/notifications/preferences';
import { type TopicKey, topics } from '@portal/contract/notifications/topics';
import { Banner, DateText, Disclosure, Icon, Section, Select } from '@portal/ui';
import styles from './NotificationSettings.module.css';
import { TopicAddress } from './TopicAddress.tsx';

const choices = Object.entries(deliveries).map(([value, label]) => ({ value, label }));

/** Delivery settings per topic; a locked topic says why. */
export function NotificationSettings() {
  const { topics: rows, email } = useAnswer(notificationPreferences.getNotificationPreferences, {});
  const save = useChange(notificationPreferences.saveNotificationPreference, {
    refresh: [notificationPreferences.getNotificationPreferences],
  });
  const sending = save.isPending ? save.variables.body : null;
  const choose = (topic: TopicKey, delivery: Delivery) => save.mutate({ body: { topic, delivery } });
  const fixed = rows.filter(({ locked }) => locked !== null);
  return (
    <div id="notifications">
      <Section
        title="Notifications and e-mail"
        words="All appear in the portal. Digests of unread notifications are sent after midnight UTC, the weekly one on Mondays."
      >
        {email.unreachableSince !== null && (
          <Banner kind="warning">
            E-mail to {email.address} has been refused since <DateText value={email.unreachableSince} />: {email.refusal}. Only required
            e-mails are still sent. Change the address or fix the mailbox.
          </Banner>
        )}
        <TopicTable
          caption="Notifications you can choose"
          rows={rows.filter(({ locked }) => locked === null)}
          sending={sending}
          onChange={choose}
        />
        <Disclosure summary={`${fixed.length} ${fixed.length === 1 ? 'is' : 'are'} always sent by e-mail immediately. See which, and why`}>
          <TopicTable caption="Notifications that are always sent" rows={fixed} sending={null} onChange={choose} />
        </Disclosure>
      </Section>
    </div>
  );
}

type Topics = AnswerOf<typeof notificationPreferences.getNotificationPreferences>['topics'];

/** A row per topic: its content, delivery, and address. */
function TopicTable({
  caption,
  rows,
  sending,
  onChange,
}: {
  caption: string;
  rows: Topics;
  sending: { topic: TopicKey; delivery: Delivery } | null;
  onChange: (topic: TopicKey, delivery: Delivery) => void;
}) {
  return (
    <table className={styles.topics}>
      <caption className="vh">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">About</th>
          <th scope="col">How</th>
          <th scope="col">E-mail address</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ topic, delivery, locked, address, addressAsked }) => (
          <tr key={topic}>
            <th scope="row">
              <b id={`topic-${topic}`}>{topics[topic].label}</b> <span>{topics[topic].words}</span>
            </th>
            <td>
              {locked === null ? (
                <Select
                  size="s"
                  aria-labelledby={`topic-${topic}`}
                  value={sending?.topic === topic ? sending.delivery : delivery}
                  options={choices}
                  onChange={event => onChange(topic, event.target.value as Delivery)}
                />
              ) : (
                <span className={styles.locked}>
                  <Icon name="lock" /> {locked}.
                </span>
              )}
            </td>
            <td>
              <TopicAddress topic={topic} address={address} asked={addressAsked} locked={locked !== null} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
