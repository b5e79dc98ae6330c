import { useDateFormat } from '@portal/app-kit';
import { electionKinds } from '@portal/contract/elections/elections';
import type { ElectionWindow, VotingElection } from '@portal/contract/elections/voting';
import { Banner, Icon, Link, StateMark } from '@portal/ui';
import styles from './ElectionCard.module.css';
import { hoursApart, officialInWords, seatsInWords, stateOf } from './voting-words.ts';
import { VotingLinks, WindowList } from './WindowList.tsx';

/** A note for the reader beside the timetable of an election. */
export type CardNote = { kind: 'votes' | 'entitled' | 'refused'; words: string; detail?: string };

/** One election in the table: its subject, the reader's votes, its timetable, and links. */
export function ElectionCard({
  election,
  axis,
  asOf,
  as,
  notes,
  clockSaid,
  rollUrl = null,
}: {
  election: VotingElection;
  /** The windows of all elections on the page. */
  axis: readonly ElectionWindow[];
  asOf: string;
  /** The role in which the reader votes, shown first; an election of members and attendees has one card. */
  as: 'member' | 'attendee';
  notes: readonly CardNote[];
  /** The page shows how far the official clock differs from the reader's, for all its elections. */
  clockSaid: boolean;
  /** The account’s entry on the electoral roll; null where none is published. */
  rollUrl?: string | null;
}) {
  const { kind, title, description, seats, state, cancelReason, candidatesUrl, resultsUrl, timeZone, windows } = election;
  const mark = stateOf(election);
  const own = useDateFormat();
  const onBallot = electionKinds[kind].seats ? 'All candidates' : 'Answers';
  const facts = [electionKinds[kind].label, seatsInWords(seats)].filter(Boolean).join(', ');
  const apart = hoursApart(windows, timeZone, own.timeZone);
  return (
    <section className={styles.election} aria-label={`${title}, as ${as === 'member' ? 'a member' : 'an attendee'}`}>
      <div className={styles.about}>
        <div className={styles.line}>
          <h3>{title}</h3>
          <StateMark state={mark.state}>{mark.words}</StateMark>
        </div>
        <div className={styles.notes}>
          {notes.map(note =>
            note.kind === 'refused' ? null : (
              <span key={note.words} className={note.kind === 'votes' ? undefined : styles.entitled}>
                {note.kind === 'entitled' && <Icon name="valid" />} {note.words}
              </span>
            ),
          )}
          {candidatesUrl &&
            (candidatesUrl.startsWith('/voting/') ? (
              <Link href={candidatesUrl} aria-label={`${onBallot} of ${title}`}>
                {onBallot}
              </Link>
            ) : (
              <Outside href={candidatesUrl} words={onBallot} title={title} />
            ))}
          {rollUrl && (
            <Link href={rollUrl} aria-label={`Entry on the roll of ${title}`}>
              Entry on the roll
            </Link>
          )}
          {resultsUrl && <Outside href={resultsUrl} words="Results" title={title} />}
        </div>
        {notes.map(note =>
          note.kind === 'refused' ? (
            <p key={note.words} className={styles.refused}>
              <Icon name="lock" />
              <span>
                <span>{note.words}</span> {note.detail && <span className="quiet">{note.detail}</span>}
              </span>
            </p>
          ) : null,
        )}
        {state === 'cancelled' && (
          <Banner kind="warning" title="This election is cancelled.">
            {cancelReason}
          </Banner>
        )}
      </div>
      <WindowList
        election={election}
        axis={axis}
        asOf={asOf}
        as={as}
        more={
          <p className={styles.description}>
            {description && <>{description} </>}
            {facts}.{!clockSaid && ` ${officialInWords(apart, timeZone)}`}
          </p>
        }
      />
      <VotingLinks election={election} />
    </section>
  );
}

/** A page elsewhere, in a new window. */
function Outside({ href, words, title }: { href: string; words: string; title: string }) {
  return (
    <Link href={href} target="_blank">
      {words}
      <span className="vh"> of {title}, in a new window</span> <Icon name="external" />
    </Link>
  );
}

/** An election that is over, in one line. */
export function PastElection({ election }: { election: VotingElection }) {
  const { title, windows, resultsUrl } = election;
  const last = windows.reduce<ElectionWindow | null>((latest, each) => (latest && latest.closesAt >= each.closesAt ? latest : each), null);
  return (
    <li>
      <span className="strong">{title}</span>
      <span className="quiet">{last?.words}</span>
      {resultsUrl && <Outside href={resultsUrl} words="Results" title={title} />}
    </li>
  );
}
