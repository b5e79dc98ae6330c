import { pages } from '@portal/contract/pages';
import type { DeskHome, HomeCase } from '@portal/contract/staff/desk-home';
import { Badge, DateText, EmptyState, formatCount, Icon, Link, LinkButton, Sheet, StateMark } from '@portal/ui';
import { caseLink } from '../shell/case-link.ts';
import { secondWords } from '../shell/cases/second-words.ts';
import { hoursInWords } from '../shell/hours-words.ts';
import { Initials } from '../shell/Initials.tsx';
import styles from './Home.module.css';
import { caseAbout, caseName } from './home-words.ts';

type Cases = NonNullable<DeskHome['cases']>;
/** Cases that are due within a working day. */
const CLOSE_HOURS = 8;
const MOST = 6;

/** Cases that are late or will be soon, who has what, and what was decided today. */
export function CaseLists({ cases }: { cases: Cases }) {
  return (
    <>
      <LateOrClose cases={cases} />
      <WhoHasWhat cases={cases} />
      <Decided cases={cases} />
    </>
  );
}

function LateOrClose({ cases: { rows, late, promiseHours } }: { cases: Cases }) {
  const close = rows.filter(({ dueAt, hours }) => dueAt !== null && hours > promiseHours - CLOSE_HOURS).slice(0, MOST);
  return (
    <Sheet
      flush
      title="Late or close"
      meta={
        late > 0 && (
          <Badge kind="warning" icon="warning">
            {formatCount(late)} late
          </Badge>
        )
      }
      actions={late > 0 && <Link href={`${pages.deskRequests.path}?age=late`}>All late cases</Link>}
    >
      {close.length === 0 ? (
        <EmptyState title="Nothing is late" picture={false}>
          No case is due within a working day.
        </EmptyState>
      ) : (
        <ul>
          {close.map(each => (
            <li key={`${each.kind}-${each.requestId}`} className={styles.line}>
              <span className={styles.lineIcon} data-late={each.late || undefined}>
                <Icon name={each.late ? 'warning' : 'clock'} />
              </span>
              <div className={styles.grow}>
                <Link href={caseLink(each)} className={styles.strong}>
                  <span className="mono">{caseName(each)}</span>
                </Link>
                <span className={styles.quiet}>{caseAbout(each)}</span>
              </div>
              <div className={styles.by}>
                <b data-late={each.late || undefined}>
                  {hoursInWords(promiseHours - each.hours)} {each.hours > promiseHours ? 'over' : 'left'}
                </b>
                <span>
                  {each.second ? secondWords(each.second) : each.handler === null ? 'Unassigned' : each.isMine ? 'You' : each.handler}
                </span>
              </div>
              <LinkButton size="s" href={caseLink(each)} aria-label={`Open ${caseName(each)}`}>
                Open
              </LinkButton>
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  );
}

const depthOf = ({ hours, late }: HomeCase, promiseHours: number): string =>
  late ? 'late' : hours > promiseHours / 2 ? 'old' : hours > promiseHours / 4 ? 'some' : 'new';

function WhoHasWhat({ cases: { rows, promiseHours } }: { cases: Cases }) {
  // What waits for a second person is no one’s to take.
  const people = [
    ...Map.groupBy(
      rows.filter(({ handler, second }) => handler !== null || second === null),
      ({ handler }) => handler,
    ),
  ].toSorted(([one, ones], [other, others]) => Number(one !== null) - Number(other !== null) || others.length - ones.length);
  if (people.length === 0) return null;
  return (
    <Sheet flush title="Who has what" meta="Darker is older">
      <ul>
        {people.map(([handler, own]) => (
          <li key={handler ?? ''} className={styles.who}>
            <Initials name={handler} me={own[0]!.isMine} />
            <div className={styles.grow}>
              <Link
                href={`${pages.deskRequests.path}${handler === null ? '?handler=none' : own[0]!.isMine ? '?handler=mine' : `?q=${encodeURIComponent(handler)}`}`}
                className={styles.strong}
              >
                {handler ?? 'Unassigned'}
              </Link>
              {own[0]!.isMine && <span className="quiet small"> you</span>}
              <span className={styles.quiet}>oldest {hoursInWords(Math.max(...own.map(({ hours }) => hours)))}</span>
            </div>
            {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is drawn of elements, not loaded */}
            <span className={styles.cells} role="img" aria-label={`${own.length} cases, ${own.filter(({ late }) => late).length} late`}>
              {own.slice(0, 24).map(each => (
                <i key={`${each.kind}-${each.requestId}`} data-depth={depthOf(each, promiseHours)} />
              ))}
            </span>
            <b className={styles.count}>{formatCount(own.length)}</b>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

function Decided({ cases: { decided, decidedToday } }: { cases: Cases }) {
  return (
    <Sheet
      flush
      title="Decided today"
      meta={decidedToday > 0 && formatCount(decidedToday)}
      actions={<Link href={`${pages.deskRequests.path}?status=decided`}>All decisions</Link>}
    >
      {decided.length === 0 ? (
        <EmptyState title="No decision yet today" picture={false}>
          Approved and rejected cases appear here.
        </EmptyState>
      ) : (
        <ul>
          {decided.map(each => (
            <li key={`${each.kind}-${each.requestId}`} className={styles.line}>
              <span className="quiet small">
                <DateText value={each.resolvedAt!} shape="time" />
              </span>
              <div className={styles.grow}>
                <Link href={caseLink(each)} className={styles.strong}>
                  <span className="mono">{caseName(each)}</span>
                </Link>
                <span className={styles.quiet}>{caseAbout(each)}</span>
              </div>
              <StateMark plain state={each.state === 'approved' ? 'valid' : 'invalid'}>
                {each.state === 'approved' ? 'Approved' : 'Rejected'}
                {each.resolvedBy !== null && ` by ${each.resolvedBy}`}
              </StateMark>
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  );
}
