import type { ApiKey } from '@portal/contract/api-keys/api-keys';
import { HOUR_MS } from '@portal/contract/days';
import { DateText } from '@portal/ui';
import styles from './ApiKeys.module.css';

/** The old and the new secret of a rotated key on one line of time, with now and the last call that still came with the old one. */
export function SecretsOverlap({ apiKey: { oldSecret, oldSecretUntil, prefix, expiresAt }, now }: { apiKey: ApiKey; now: number }) {
  if (oldSecret === null || oldSecretUntil === null) return null;
  const replaced = Date.parse(oldSecret.replacedAt);
  const end = Date.parse(oldSecretUntil);
  const from = replaced - (end - replaced) * 0.2;
  const to = end + (end - replaced) * 0.12;
  const at = (instant: number): string => `${Math.min(100, Math.max(0, ((instant - from) / (to - from)) * 100))}%`;
  const hours = Math.max(1, Math.round((end - replaced) / HOUR_MS));
  const used = oldSecret.lastUse;
  return (
    <figure className={styles.overlap} aria-label="Secrets">
      <span>
        Old
        <small className="mono">{oldSecret.prefix.slice(-4)}…</small>
      </span>
      <span className={styles.span}>
        <i className={styles.old} style={{ insetInlineStart: 0, insetInlineEnd: `calc(100% - ${at(replaced)})` }} />
        <i className={styles.both} style={{ insetInlineStart: at(replaced), insetInlineEnd: `calc(100% - ${at(end)})` }}>
          overlap, {hours >= 48 && hours % 24 === 0 ? `${hours / 24} days` : `${hours} h`}
        </i>
        {used && <b className={styles.used} style={{ insetInlineStart: at(Date.parse(used.at)) }} />}
        <b className={styles.now} style={{ insetInlineStart: at(now) }} />
      </span>
      <span>
        New
        <small className="mono">{prefix.slice(-4)}…</small>
      </span>
      <span className={styles.span}>
        <i className={styles.new} style={{ insetInlineStart: at(replaced), insetInlineEnd: 0 }}>
          to <DateText value={expiresAt} shape="date" />
        </i>
        <b className={styles.now} style={{ insetInlineStart: at(now) }} />
      </span>
      <figcaption>
        The old secret ends on <DateText value={oldSecretUntil} />
      </figcaption>
    </figure>
  );
}
