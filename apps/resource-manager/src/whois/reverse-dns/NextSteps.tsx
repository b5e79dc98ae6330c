import { DAY_MS } from '@portal/contract/days';
import type { ZoneReport } from '@portal/contract/reverse-dns/zone-reports';
import { DateText } from '@portal/ui';
import { useState } from 'react';
import styles from './ZonePage.module.css';

const time = (day: string): number => new Date(day).getTime();

/** Acts of the registry against a server that goes on not answering, on which days. */
export function NextSteps({ lame: { server, since, notifyOn, notifiedOn, removeOn, removedOn } }: { lame: ZoneReport['lame'][number] }) {
  const [now] = useState(() => Date.now());
  if (removedOn)
    return (
      <p>
        {server} is left out of the registry’s zone since <DateText value={removedOn} shape="date" />. It’s back after a check that finds it
        answering.
      </p>
    );
  if (!removeOn)
    return (
      <p>
        {notifiedOn ? 'Your contacts were notified on ' : 'Your contacts are notified on '}
        <DateText value={notifyOn} shape="date" />. The registry leaves no server out of its zones.
      </p>
    );
  const share = (at: number): number => Math.min(100, Math.max(0, (100 * (at - time(since))) / (time(removeOn) - time(since))));
  const days = Math.max(0, Math.ceil((time(removeOn) - now) / DAY_MS));
  return (
    <>
      <p>
        <b>
          {server} is left out of the registry’s zone on <DateText value={removeOn} shape="date" />
        </b>{' '}
        unless it answers by then, in {days} {days === 1 ? 'day' : 'days'}. The domain object stays.
      </p>
      <span className={styles.bar} aria-hidden="true">
        <i style={{ width: `${share(time(notifyOn))}%` }} />
        <b style={{ left: `${share(now)}%` }} />
      </span>
      <span className={styles.dates}>
        <span>
          <b>Found</b>
          <DateText value={since} shape="date" />
        </span>
        <span>
          <b>{notifiedOn ? 'Contacts notified' : 'Contacts are notified'}</b>
          <DateText value={notifyOn} shape="date" />
        </span>
        <span>
          <b>Left out</b>
          <DateText value={removeOn} shape="date" />
        </span>
      </span>
    </>
  );
}
