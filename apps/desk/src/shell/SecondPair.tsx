import { useSession } from '@portal/app-kit';
import type { Proposal } from '@portal/contract/proposals/proposals';
import { DateText, Icon, type IconName } from '@portal/ui';
import type { ReactNode } from 'react';
import styles from './Deciding.module.css';
import { Initials } from './Initials.tsx';

type Props = {
  first: { name: string; isMe: boolean; at: string };
  /** Null until someone has confirmed it. */
  second: { name: string; at: string } | null;
  /** Whether the reader can be the second person. */
  isYours: boolean;
};

/** Who asked for an act of two people, and who confirms it. */
export function SecondPair({ first, second, isYours }: Props) {
  const { person } = useSession();
  return (
    <div className={styles.pair}>
      <Who name={first.name} me={first.isMe}>
        <DateText value={first.at} shape="date" />
      </Who>
      <span aria-hidden="true" />
      {second ? (
        <Who name={second.name}>
          <DateText value={second.at} shape="date" />
        </Who>
      ) : (
        <Who name={isYours ? person.name : null} me={isYours}>
          second person
        </Who>
      )}
    </div>
  );
}

const Who = ({ name, me, children }: { name: string | null; me?: boolean; children: ReactNode }) => (
  <div>
    <Initials name={name} me={me} />
    <span>
      {name ?? 'Someone else'}
      <small>{children}</small>
    </span>
  </div>
);

export type Check = { icon: IconName; tone: 'valid' | 'warn' | 'quiet'; words: ReactNode; detail: ReactNode };

/** Who can confirm what the reader asked for, and until when. */
export const waitingCheck = ({ waitsFor, expiresAt }: Proposal): Check => ({
  icon: 'user',
  tone: 'quiet',
  words: waitsFor.length === 0 ? 'No one can confirm it now' : `${waitsFor.slice(0, 3).join(', ')} can confirm it`,
  detail: (
    <>
      until <DateText value={expiresAt} />
    </>
  ),
});

/** Checks that are done already, and those that a person has to make. */
export const CheckList = ({ checks }: { checks: readonly Check[] }) => (
  <ul className={styles.checks}>
    {checks.map(({ icon, tone, words, detail }, place) => (
      // oxlint-disable-next-line react/no-array-index-key -- a list in a fixed order
      <li key={place} data-tone={tone}>
        <Icon name={icon} />
        <span>
          {words}
          <small>{detail}</small>
        </span>
      </li>
    ))}
  </ul>
);
