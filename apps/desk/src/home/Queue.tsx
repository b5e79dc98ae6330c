import { useAddress } from '@portal/app-kit';
import { initialsOf } from '@portal/app-kit/words/initials';
import { pages } from '@portal/contract/pages';
import type { DeskHome, HomeCase } from '@portal/contract/staff/desk-home';
import { formatCount, Link, Segmented, Sheet } from '@portal/ui';
import type { CSSProperties } from 'react';
import { caseLink } from '../shell/case-link.ts';
import { proposedWords, secondWords } from '../shell/cases/second-words.ts';
import { hoursInWords } from '../shell/hours-words.ts';
import styles from './Home.module.css';
import { caseAbout, caseName, placesOf, type QueueRow, queueRows, rowOf } from './home-words.ts';

type Cases = NonNullable<DeskHome['cases']>;
const whose = ['all', 'mine', 'free', 'second'] as const;
type Whose = (typeof whose)[number];
const isOf: Record<Whose, (row: HomeCase) => boolean> = {
  all: () => true,
  mine: ({ isMine }) => isMine,
  free: ({ handler, second }) => handler === null && second === null,
  second: ({ second }) => second?.mayConfirm === true,
};

/** The days that the picture goes beyond the promise: older cases stand at its edge. */
const BEYOND = 1.875;
/** Hours of a working day. */
const DAY = 8;

/** Every case that waits for the registry, by kind and age: it moves left until it is answered. */
export function Queue({ cases }: { cases: Cases }) {
  const address = useAddress();
  const chosen = address.oneOf('whose', whose);
  const { rows, withUs, mine, free, toConfirm, late, waitingOnMembers, promiseHours } = cases;
  const shown = rows.filter(isOf[chosen]);
  const kinds = (Object.keys(queueRows) as QueueRow[]).filter(row => rows.some(each => rowOf(each) === row));
  const most = promiseHours * BEYOND;
  return (
    <Sheet
      title="Queue"
      meta={<span className={styles.wide}>by kind and age in working hours. A case moves left until it is answered</span>}
      actions={
        <Segmented
          label="Whose"
          value={chosen}
          options={[
            { value: 'all', label: `All ${formatCount(withUs)}` },
            { value: 'mine', label: `Mine ${formatCount(mine)}` },
            { value: 'free', label: `Unassigned ${formatCount(free)}` },
            { value: 'second', label: `To confirm ${formatCount(toConfirm)}` },
          ]}
          onChange={value => address.set({ whose: value === 'all' ? null : value })}
        />
      }
      footer={
        <>
          <span className={styles.key}>
            <i className={styles.sample} /> Has an owner, with initials
          </span>
          <span className={styles.key}>
            <i className={styles.sample} data-free="" /> Unassigned
          </span>
          <span className={styles.key}>
            <i className={styles.second} /> Waiting for a second person
          </span>
          {shown.some(({ dueAt }) => dueAt === null) && (
            <span className={styles.key}>
              <i className={styles.sample} data-unpromised="" /> No promise, never late
            </span>
          )}
          {rows.length < withUs && <Link href={pages.deskRequests.path}>{formatCount(withUs - rows.length)} newer ones are not drawn</Link>}
          {waitingOnMembers > 0 && (
            <Link href={`${pages.deskRequests.path}?status=needs-info`}>
              {formatCount(waitingOnMembers)} that are waiting for members aren’t drawn
            </Link>
          )}
        </>
      }
    >
      {kinds.length === 0 ? (
        <p className="quiet">No open cases. New requests appear here.</p>
      ) : (
        <div className={styles.queue} style={{ '--late': `${(1 - 1 / BEYOND) * 100}%` } as CSSProperties}>
          <p className={styles.lateWords}>
            <b>{late > 0 ? `${formatCount(late)} late` : 'late'}</b>
            <span>promise, {promiseHours % DAY === 0 ? `${promiseHours / DAY} days` : `${promiseHours} h`}</span>
          </p>
          <ul>
            {kinds.map(kind => (
              <KindRow key={kind} kind={kind} rows={shown.filter(each => rowOf(each) === kind)} most={most} promise={promiseHours} />
            ))}
          </ul>
          <Scale most={most} />
        </div>
      )}
    </Sheet>
  );
}

/** One kind of case. @param most the hours at the left edge @param promise the hours from which a case is late */
function KindRow({ kind, rows, most, promise }: { kind: QueueRow; rows: readonly HomeCase[]; most: number; promise: number }) {
  const wide = placesOf(rows, { most, promise, width: 3.9 });
  const narrow = placesOf(rows, { most, promise, width: 10.6 });
  return (
    <li className={styles.kind}>
      <span className={styles.kindName}>
        <b>{queueRows[kind]}</b> <span>{formatCount(rows.length)}</span>
      </span>
      <ul className={styles.track}>
        {rows.map((each, place) => (
          <li
            key={`${each.kind}-${each.requestId}`}
            style={{ '--wide': `${wide[place]}%`, '--narrow': `${narrow[place]}%` } as CSSProperties}
          >
            <Mark kind={kind} each={each} />
          </li>
        ))}
      </ul>
    </li>
  );
}

const lowered = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1);

function Mark({ kind, each }: { kind: QueueRow; each: HomeCase }) {
  const { handler, hours, late, isMine, second, dueAt } = each;
  const words = [
    `${caseName(each)}, ${caseAbout(each)}`,
    `${hoursInWords(hours)} old${late ? ', late' : dueAt === null ? ', without a promise' : ''}`,
    handler === null ? (second ? '' : 'unassigned') : isMine ? `yours, ${initialsOf(handler)}` : `${handler}, ${initialsOf(handler)}`,
    ...(second ? [lowered(proposedWords(second)), lowered(secondWords(second))] : []),
  ]
    .filter(Boolean)
    .join(', ');
  return (
    <Link
      href={caseLink(each)}
      className={styles.mark}
      title={words}
      aria-label={`${queueRows[kind]}: ${words}`}
      data-kind={kind === 'ipv4' || kind === 'ipv6' || kind === 'asn' ? kind : undefined}
      data-free={isOf.free(each) ? '' : undefined}
      data-mine={isMine || undefined}
      data-late={late || undefined}
      data-unpromised={dueAt === null || undefined}
    >
      {handler !== null ? initialsOf(handler) : second ? initialsOf(second.proposedBy) : <span aria-hidden="true">·</span>}
      {second && <i className={styles.second} aria-hidden="true" />}
    </Link>
  );
}

function Scale({ most }: { most: number }) {
  const days = Array.from({ length: Math.floor(most / DAY) }, (_, day) => day + 1);
  return (
    <div className={styles.scale} aria-hidden="true">
      <span style={{ insetInlineEnd: 0 }}>just sent</span>
      {days.map(day => (
        <span key={day} data-inner="" style={{ insetInlineEnd: `${((day * DAY) / most) * 100}%` }}>
          {day === 1 ? '1 working day' : day}
        </span>
      ))}
    </div>
  );
}
