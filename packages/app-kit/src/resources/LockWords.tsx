import type { ResourceLock } from '@portal/contract/resources/locks';
import { DateText } from '@portal/ui';

/** A lock in words: what is locked, who locked it, and how far its release is. @param unconfirmed what the reader should know before it is confirmed */
export function LockWords({ row: { resource, lockedBy, lockedAt, release }, unconfirmed }: { row: ResourceLock; unconfirmed: string }) {
  return (
    <div>
      <div className="mono">{resource}</div>
      <div className="small quiet">
        Locked by {lockedBy} on <DateText value={lockedAt} shape="date" />
      </div>
      {release && (
        <div className="small">
          {release.requestedBy} asked for its release. {release.confirmedBy === null ? unconfirmed : `${release.confirmedBy} confirmed it.`}{' '}
          It ends at the earliest on <DateText value={release.releasesAt} />.
        </div>
      )}
    </div>
  );
}
