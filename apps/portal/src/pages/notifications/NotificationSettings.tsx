import { useAnswer, useChange } from '@portal/app-kit';
import { deliveries, type Delivery, notificationPreferences, topics } from '@portal/contract/notifications/preferences';
import { Banner, DateText, Icon, Section, Select } from '@portal/ui';
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
  return (
    <div id="notifications">
      <Section
        title="Notifications and e-mail"
        words="In the portal you find all of them. Digests are sent after midnight UTC, the weekly one on Mondays, with what you have not read."
        beside
      >
        {email.unreachableSince !== null && (
          <Banner kind="warning">
            E-mail to {email.address} has been refused since <DateText value={email.unreachableSince} />: {email.refusal}. Only what cannot
            be switched off is still tried; give another address, or mend the mailbox.
          </Banner>
        )}
        <ul className={styles.topics}>
          {rows.map(({ topic, delivery, locked, address, addressAsked }) => (
            <li key={topic}>
              <div>
                <b id={`topic-${topic}`}>{topics[topic].label}</b>
                <p>{topics[topic].words}</p>
              </div>
              {locked === null ? (
                <Select
                  aria-labelledby={`topic-${topic}`}
                  value={sending?.topic === topic ? sending.delivery : delivery}
                  options={choices}
                  onChange={event => save.mutate({ body: { topic, delivery: event.target.value as Delivery } })}
                />
              ) : (
                <div className={styles.locked}>
                  <span>
                    <Icon name="lock" /> {deliveries['at-once']}, always
                  </span>
                  <p>{locked}.</p>
                </div>
              )}
              <TopicAddress topic={topic} address={address} asked={addressAsked} locked={locked !== null} />
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}
