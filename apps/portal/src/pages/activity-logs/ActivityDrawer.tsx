import { FailureBanner, reading, useAccount, useDateFormat, useKit } from '@portal/app-kit';
import { activityCategories, type ActivityChange, activityLog } from '@portal/contract/activity-log/activity-log';
import {
  Button,
  CopyButton,
  classNames,
  DateText,
  formatCount,
  formatDate,
  Icon,
  KeyValueList,
  Row,
  SideDialog,
  SkeletonLines,
  Stack,
  StateMark,
} from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import styles from './ActivityDrawer.module.css';

/** One line of the log in full, over the page from the right. The focus stays inside until it is closed and then goes back. */
export function ActivityDrawer({
  activityId,
  newer,
  older,
  onGo,
  onClose,
}: {
  activityId: string;
  /** The neighbouring lines in the list. */
  newer: number | undefined;
  older: number | undefined;
  onGo: (activityId: number) => void;
  onClose: () => void;
}) {
  const id = useId();
  const turn = (label: string, icon: 'arrow-up' | 'arrow-down', to: number | undefined) => (
    <Button
      variant="quiet"
      size="s"
      icon={icon}
      aria-label={label}
      refusal={
        to === undefined
          ? { reason: icon === 'arrow-up' ? 'This is the newest line of the list' : 'This is the oldest line of the list' }
          : null
      }
      refusalIn="note"
      onClick={() => to !== undefined && onGo(to)}
    />
  );
  return (
    <SideDialog side="right" open onClose={onClose} aria-labelledby={id}>
      <header className={styles.head}>
        <h2 id={id}>Line {formatCount(Number(activityId))}</h2>
        <Row gap={4} className={styles.acts}>
          {turn('Newer line', 'arrow-up', newer)}
          {turn('Older line', 'arrow-down', older)}
          <Button variant="quiet" size="s" icon="close" aria-label="Close" onClick={onClose} />
        </Row>
      </header>
      <div className={styles.body}>
        <Detail key={activityId} activityId={activityId} />
      </div>
    </SideDialog>
  );
}

function Detail({ activityId }: { activityId: string }) {
  const { accountName } = useAccount();
  const { call } = useKit();
  const format = useDateFormat();
  const { data, error, refetch } = useQuery(reading(call, activityLog.getActivity, { account: accountName, activityId }));
  if (error) return <FailureBanner failure={error} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonLines lines={8} label="Loading the line" />;
  const { line, changes, more, withheld, forgotten, seal } = data;
  return (
    <Stack gap={16}>
      <div>
        <p className={styles.what}>
          {line.what} {line.object && <b>{line.object}</b>}
        </p>
        {line.refusal ? (
          <p className={styles.result}>
            <StateMark state="invalid">Refused</StateMark> <span>{line.refusal.words}</span>
          </p>
        ) : (
          <p className={styles.result}>
            <StateMark state="valid">Done</StateMark> <span className="quiet">{line.summary}</span>
          </p>
        )}
      </div>
      <KeyValueList
        align="left"
        items={[
          { key: 'When', value: <time dateTime={line.at}>{formatDate(line.at, format, 'date-time', true)}</time> },
          { key: 'Who', value: line.actor.name },
          ...(line.address === null ? [] : [{ key: 'From', value: <span className="mono">{line.address}</span> }]),
          ...(line.secondFactor === null ? [] : [{ key: 'Two-factor', value: line.secondFactor ? 'used' : 'not used' }]),
          { key: 'About', value: activityCategories[line.category] },
          { key: 'Action', value: <span className="mono">{line.action}</span> },
          ...(line.refusal ? [{ key: 'Code', value: <span className="mono">{line.refusal.code}</span> }] : []),
          {
            key: 'Trace id',
            value: (
              <span className={styles.trace}>
                <span className="mono">{line.traceId}</span> <CopyButton text={line.traceId} label="Copy trace id" />
              </span>
            ),
          },
          {
            key: 'Seal',
            value: seal ? (
              <>
                <Icon name="lock" /> <span className="mono">{seal.hash.slice(0, 16)}…</span>{' '}
                <span className="quiet">
                  since <DateText value={seal.at} />
                </span>
              </>
            ) : (
              <span className="quiet">pending; within about a minute</span>
            ),
          },
        ]}
      />
      {changes.map(change => (
        <Changed key={change.rowChangeId} change={change} />
      ))}
      {more && <p className="small quiet">More rows changed than are shown here.</p>}
      {withheld.map(({ permission, rows }) => (
        <p key={permission} className="small quiet">
          <Icon name="lock" /> {formatCount(rows)} changed {rows === 1 ? 'row is' : 'rows are'} left out:{' '}
          {rows === 1 ? 'it needs' : 'they need'} “{permission}”.
        </p>
      ))}
      {forgotten > 0 && (
        <p className="small quiet">
          {formatCount(forgotten)} changed {forgotten === 1 ? 'row' : 'rows'} of personal data can’t be shown: the time of the data was
          over, and it was deleted.
        </p>
      )}
      {changes.length === 0 && withheld.length === 0 && forgotten === 0 && (
        <p className="small quiet">
          {line.refusal ? 'The request was refused. Nothing changed.' : 'No visible data of this account changed.'}
        </p>
      )}
    </Stack>
  );
}

type ColumnChange = ActivityChange['columns'][number];
const operationWords = { added: 'added', changed: 'changed', removed: 'removed' } as const;

function Changed({ change: { operation, what, name, columns } }: { change: ActivityChange }) {
  const both = operation === 'changed';
  return (
    <section className={styles.change}>
      <h3>
        {what} {name && <b>{name}</b>} <span className="quiet">{operationWords[operation]}</span>
      </h3>
      {columns.length > 0 && (
        <table className={styles.diff}>
          <thead>
            <tr>
              <th scope="col">
                <span className="vh">Field</span>
              </th>
              {(both || operation === 'removed') && <th scope="col">Before</th>}
              {(both || operation === 'added') && <th scope="col">After</th>}
            </tr>
          </thead>
          <tbody>
            {columns.map(column => (
              <tr key={column.label}>
                <th scope="row">{column.label}</th>
                {(both || operation === 'removed') && <Side column={column} side="before" marked={both} />}
                {(both || operation === 'added') && <Side column={column} side="after" marked={both} />}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** One side of a change; in a list, unchanged entries are muted, and removed or added ones are marked. */
function Side({ column, side, marked }: { column: ColumnChange; side: 'before' | 'after'; marked: boolean }) {
  const values = column[side];
  const others = column[side === 'before' ? 'after' : 'before'];
  const isList = column.shape === 'list';
  const sign = side === 'before' ? '−' : '+';
  return (
    <td data-label={side === 'before' ? 'Before' : 'After'} className={marked && !isList ? styles[side] : undefined}>
      {values === null || values.length === 0 ? (
        <span className="quiet">none</span>
      ) : isList ? (
        <ul>
          {values.map(value => {
            const differs = marked && !others?.includes(value);
            return (
              <li key={value} className={classNames(differs && styles[side], marked && !differs && styles.same)}>
                {differs && (
                  <span className={styles.sign}>
                    <span aria-hidden="true">{sign}</span>
                    <span className="vh">{side === 'before' ? 'removed' : 'added'}: </span>
                  </span>
                )}
                {value}
              </li>
            );
          })}
        </ul>
      ) : column.shape === 'time' ? (
        <DateText value={values[0] ?? ''} />
      ) : column.shape === 'date' ? (
        <DateText value={values[0] ?? ''} shape="date" format={{ timeZone: 'UTC', hourCycle: 'h23' }} />
      ) : (
        values[0]
      )}
    </td>
  );
}
