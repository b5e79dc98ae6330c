import { useDateFormat } from '@portal/app-kit';
import { electionKinds } from '@portal/contract/elections/elections';
import type { ElectionWindow, VotingElection } from '@portal/contract/elections/voting';
import { Banner, Icon, Link, Refusal, Sheet, StateMark } from '@portal/ui';
import styles from './ElectionCard.module.css';
import { hoursApart, officialInWords, seatsInWords, stateOf } from './voting-words.ts';
import { WindowList } from './WindowList.tsx';

/** A note for the reader beside the timetable of an election. */
export type CardNote = { kind: 'votes' | 'entitled' | 'refused'; words: string; detail?: string };

/** One election: what it is about, what the reader has in it, its timetable, and where to read on. */
export function ElectionCard({
  election,
  axis,
  asOf,
  as,
  notes,
}: {
  election: VotingElection;
  /** The windows of all elections on the page. */
  axis: readonly ElectionWindow[];
  asOf: string;
  /** As whom the reader sees it first; an election of both has one card. */
  as: 'member' | 'attendee';
  notes: readonly CardNote[];
}) {
  const { kind, title, description, seats, state, cancelReason, candidatesUrl, resultsUrl, timeZone, windows } = election;
  const mark = stateOf(election);
  const own = useDateFormat();
  const facts = [electionKinds[kind].label, seatsInWords(seats)].filter(Boolean).join(', ');
  const times = officialInWords(hoursApart(windows, timeZone, own.timeZone), timeZone);
  return (
    <Sheet
      flush
      level={3}
      title={title}
      aria-labelledby={undefined}
      aria-label={`${title}, as ${as === 'member' ? 'a member' : 'an attendee'}`}
      meta={<StateMark state={mark.state}>{mark.words}</StateMark>}
    >
      <div className={styles.about}>
        {state === 'CANCELLED' && (
          <Banner kind="warning" title="This election is cancelled.">
            {cancelReason}
          </Banner>
        )}
        <p className={styles.description}>
          {description && <>{description} </>}
          <span className="small quiet">
            {facts}. {times}
          </span>
        </p>
        {notes.map(note =>
          note.kind === 'refused' ? <Refusal key={note.words} title="You can’t vote here" rule={note.words} help={note.detail} /> : null,
        )}
        <div className={styles.line}>
          {notes.map(note =>
            note.kind === 'refused' ? null : (
              <span key={note.words} className={note.kind === 'votes' ? 'strong' : styles.entitled}>
                {note.kind === 'entitled' && <Icon name="valid" />} {note.words}
              </span>
            ),
          )}
          {candidatesUrl && <Outside href={candidatesUrl} words="All candidates" title={title} />}
          {resultsUrl && <Outside href={resultsUrl} words="Results" title={title} />}
        </div>
      </div>
      <WindowList election={election} axis={axis} asOf={asOf} as={as} />
    </Sheet>
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
