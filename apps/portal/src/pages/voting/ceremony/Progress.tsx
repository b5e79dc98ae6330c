import type { CallAnswer } from '@portal/app-kit';
import type { ballotTrustees } from '@portal/contract/encrypted-ballots/trustees';
import type { TrusteeStep } from '@portal/contract/encrypted-ballots/setup';
import { DateText, Sheet, StateMark } from '@portal/ui';
import styles from './Progress.module.css';

export type BallotProgress = CallAnswer<typeof ballotTrustees.getTrustee>['progress'];

const stepWords: Record<TrusteeStep, string> = {
  key: 'Key',
  certificate: 'Key',
  polynomial: 'Second message',
  share: 'Share',
  decryption: 'Decryption',
};

/** Names of those whose message is missing: `Hana and Olive`. */
export function whoIsMissing({ authority, hasCredentials, trustees }: BallotProgress): string {
  const names = trustees.filter(({ next }) => next !== null).map(({ fullName }) => fullName);
  if (names.length === 0) return hasCredentials ? 'the returning officer' : authority.fullName;
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`;
}

/** Those who make the keys of a ballot, each with what is missing and since when. */
export function Progress({ progress, own = null }: { progress: BallotProgress; own?: number | null }) {
  const { authority, hasCredentials, trustees, hasKey } = progress;
  return (
    <Sheet title="Trustees" meta={<span>Compare the fingerprints by telephone before you continue</span>} flush>
      <ul className={styles.people}>
        {trustees.map(({ place, fullName, next, askedAt, fingerprint }) => (
          <li key={place} data-done={fingerprint !== null || undefined}>
            <span className={styles.key} aria-hidden="true" />
            <b>
              <bdi>{fullName}</bdi>
              {place === own && <span className="quiet"> (you)</span>}
            </b>
            <span className={styles.fingerprint}>{fingerprint ?? 'no key yet'}</span>
            {next === null ? (
              <StateMark state={hasKey ? 'valid' : 'pending'}>{hasKey ? 'Done' : 'Sent'}</StateMark>
            ) : (
              <StateMark state="warning">{stepWords[next]} missing</StateMark>
            )}
            {next !== null && askedAt !== null && (
              <small>
                asked on <DateText value={askedAt} shape="date" />
              </small>
            )}
          </li>
        ))}
        <li data-done={hasCredentials || undefined}>
          <span className={styles.key} aria-hidden="true" />
          <b>
            <bdi>{authority.fullName}</bdi>
          </b>
          <span className={styles.fingerprint}>Credential authority</span>
          {hasCredentials ? (
            <StateMark state="valid">Codes made</StateMark>
          ) : authority.isDue ? (
            <StateMark state="warning">Codes missing</StateMark>
          ) : (
            <StateMark state="pending">Awaiting the roll</StateMark>
          )}
        </li>
      </ul>
    </Sheet>
  );
}
