import { useAccount, useDateFormat } from '@portal/app-kit';
import { DAY_MS } from '@portal/contract/days';
import { withdrawnFrom } from '@portal/contract/requests/life';
import { DateText, formatCount, formatDate, Sheet, StateMark } from '@portal/ui';
import { type CSSProperties, useState } from 'react';
import styles from './PartyTimeline.module.css';
import { type Course, type Lane, type PartyStep, spansOf, type StepSpan, stepsOfParties } from './party-steps.ts';

/** The course of a transfer for both parties: who has the move in each step, until when, and how long it can be withdrawn. Both see the same. */
export function PartyTimeline({ request }: { request: Course }) {
  const { accountName: account } = useAccount();
  const [now] = useState(() => Date.now());
  const steps = stepsOfParties(request, now);
  const isSender = request.accountName === account;
  const other = request.otherParty ?? (request.form.recipient.trim().toUpperCase() || request.form.otherRegistry || 'Recipient');
  const lanes: { lane: Lane; name: string; part: string }[] = [
    { lane: 'sender', name: isSender ? 'You' : request.accountName, part: isSender ? account : 'sender' },
    ...(steps.some(({ lane }) => lane === 'recipient')
      ? [
          {
            lane: 'recipient' as const,
            name: isSender ? other : 'You',
            part: isSender ? (other === 'Recipient' ? 'to be chosen' : 'recipient') : account,
          },
        ]
      : []),
    { lane: 'registry', name: 'Registry', part: 'reviews and completes' },
  ];
  // Each step of a lane has a row of its own, so that words never meet.
  const rows = lanes.map(({ lane }) => steps.filter(step => step.lane === lane));
  const rowOf = (step: PartyStep): number => {
    const lane = lanes.findIndex(each => each.lane === step.lane);
    return 1 + rows.slice(0, lane).flat().length + rows[lane]!.indexOf(step);
  };
  const line = lineOf(spansOf(steps, request, now), now);
  const mine: Lane = isSender ? 'sender' : 'recipient';
  const current = steps.find(({ state }) => state === 'now');
  const typical = request.plan?.typicalDays ?? null;
  const mayBeWithdrawn = withdrawnFrom({ hasTwoParties: request.kind !== 'return' && request.form.otherRegistry === '' });
  return (
    <Sheet
      title={lanes.length === 3 ? 'Both parties' : 'Steps'}
      meta={
        <>
          {typical !== null && `Half of these take up to ${formatCount(typical)} ${typical === 1 ? 'day' : 'days'}. `}
          {lanes.length === 3 && `${other === 'Recipient' ? 'The recipient' : isSender ? other : request.accountName} sees the same steps.`}
        </>
      }
      actions={
        current && (
          <StateMark state={current.lane === mine ? 'pending' : 'info'} plain>
            Next move: {current.lane === mine ? 'you' : current.lane === 'registry' ? 'registry' : isSender ? other : request.accountName}
          </StateMark>
        )
      }
      footer={
        request.resolvedAt === null && (
          <span>
            {isSender ? 'You can withdraw' : `${request.accountName} can withdraw`} until{' '}
            {mayBeWithdrawn.includes('in-review')
              ? 'we approve it'
              : isSender
                ? `${other === 'Recipient' ? 'the recipient' : other} acknowledges`
                : 'you acknowledge'}
            . From sending to the end the space is locked; announcements and ROAs keep working. The picture shows the longest times of both
            parties; our review comes between them.
          </span>
        )
      }
    >
      <div className={styles.lanes}>
        {lanes.map(({ lane, name, part }, row) => (
          <div
            key={lane}
            className={styles.lane}
            style={{ gridRow: `${1 + rows.slice(0, row).flat().length} / span ${rows[row]!.length}` }}
            aria-hidden="true"
          >
            <b>{name}</b>
            <span>{part}</span>
          </div>
        ))}
        <ol className={styles.steps} aria-label="Steps">
          {steps.map((step, index) => (
            <li
              key={step.title}
              data-state={step.state}
              data-mine={step.lane === mine || undefined}
              aria-current={step.state === 'now' ? 'step' : undefined}
              style={{ gridRow: rowOf(step) }}
            >
              <span className={styles.who}>{lanes.find(({ lane }) => lane === step.lane)!.name}</span>
              <i className={styles.bar} style={line.of(index)} />
              <span className={styles.words} style={line.beside(index)}>
                <b>{step.title}</b>{' '}
                <span className={styles.when}>
                  <When step={step} />
                </span>
              </span>
            </li>
          ))}
        </ol>
        <TimeScale line={line} row={steps.length + 1} />
      </div>
    </Sheet>
  );
}

/** Shares of the axis up to which words stand after their bar, and from which before it. */
const AFTER_SHARE = 0.62;
/** Days that are named on the axis. */
const NAMED_DAYS = 5;

type Line = {
  from: number;
  to: number;
  now: number;
  of: (index: number) => CSSProperties;
  beside: (index: number) => CSSProperties;
};

/** Returns the places of steps on an axis from the first to the last, as shares of its width. */
function lineOf(spans: readonly StepSpan[], now: number): Line {
  const from = Math.min(now, ...spans.map(span => span.from));
  const to = Math.max(from + DAY_MS, now, ...spans.map(span => span.to));
  const share = (at: number): number => (at - from) / (to - from);
  return {
    from,
    to,
    now: share(now),
    of: index => ({
      insetInlineStart: `min(${share(spans[index]!.from) * 100}%, 100% - 6px)`,
      width: `${(share(spans[index]!.to) - share(spans[index]!.from)) * 100}%`,
    }),
    beside(index) {
      const [first, last] = [share(spans[index]!.from), share(spans[index]!.to)];
      if (last <= AFTER_SHARE) return { insetInlineStart: `calc(max(${last * 100}%, ${first * 100}% + 6px) + 8px)` };
      return last - first > 1 - AFTER_SHARE
        ? { insetInlineStart: `calc(${first * 100}% + 8px)` }
        : { insetInlineEnd: `calc(${(1 - first) * 100}% + 14px)` };
    },
  };
}

/** Days along the axis, and now. */
function TimeScale({ line: { from, to, now }, row }: { line: Line; row: number }) {
  const format = useDateFormat();
  const days = Array.from({ length: NAMED_DAYS }, (_, place) => from + ((to - from) * place) / (NAMED_DAYS - 1));
  return (
    <>
      <div className={styles.scale} style={{ gridRow: row }} aria-hidden="true">
        {days.map((at, place) => (
          <span
            key={at}
            style={{ insetInlineStart: `${(place / (NAMED_DAYS - 1)) * 100}%` }}
            data-last={place === NAMED_DAYS - 1 || undefined}
          >
            {formatDate(new Date(at).toISOString(), format, 'day-month')}
          </span>
        ))}
      </div>
      <div className={styles.now} style={{ gridRow: `1 / ${row}` }} aria-hidden="true">
        <i style={{ insetInlineStart: `${now * 100}%` }} />
      </div>
    </>
  );
}

function When({ step: { state, at, by, words } }: { step: PartyStep }) {
  if (state === 'done' && at)
    return (
      <>
        done <DateText value={at} shape="date" />
      </>
    );
  if (state === 'done') return 'done';
  if (state === 'ended') return 'not reached';
  if (by)
    return (
      <>
        by <DateText value={by} shape="date" />
      </>
    );
  return words ?? (state === 'now' ? 'now' : '');
}
