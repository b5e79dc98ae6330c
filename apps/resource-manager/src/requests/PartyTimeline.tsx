import { useAccount } from '@portal/app-kit';
import { withdrawnFrom } from '@portal/contract/requests/life';
import type { ResourceRequestDetail } from '@portal/contract/requests/requests';
import { DateText, formatCount, Sheet, StateMark } from '@portal/ui';
import { useState } from 'react';
import styles from './PartyTimeline.module.css';
import { type Lane, type PartyStep, stepsOfParties } from './party-steps.ts';

/** The course of a transfer for both parties: who has the move in each step, until when, and how long it can be withdrawn. Both see the same. */
export function PartyTimeline({ request }: { request: ResourceRequestDetail }) {
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
            . From sending to the end the space is locked; announcements and ROAs keep working.
          </span>
        )
      }
    >
      <div className={styles.lanes}>
        {lanes.map(({ lane, name, part }, row) => (
          <div key={lane} className={styles.lane} style={{ gridRow: row + 1 }} aria-hidden="true">
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
              style={{ gridColumn: index + 2, gridRow: lanes.findIndex(({ lane }) => lane === step.lane) + 1 }}
            >
              <span className={styles.who}>{lanes.find(({ lane }) => lane === step.lane)!.name}</span>
              <b>{step.title}</b>
              <span className={styles.when}>
                <When step={step} />
              </span>
            </li>
          ))}
        </ol>
      </div>
    </Sheet>
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
