import type { ReactNode } from 'react';
import { Button } from '../action/Button.tsx';
import { classNames } from '../text/class-names.ts';
import { CopyButton } from '../action/CopyButton.tsx';
import { Icon, type IconName } from '../text/Icon.tsx';
import styles from './Banner.module.css';

export type BannerKind = 'info' | 'warning' | 'error' | 'pending' | 'success';

const marks: Record<BannerKind, IconName> = { info: 'info', warning: 'warning', error: 'invalid', pending: 'clock', success: 'valid' };

export type BannerProps = {
  kind?: BannerKind;
  title?: ReactNode;
  children?: ReactNode;
  /** The trace id of a refused call, for support. */
  traceId?: string | null | undefined;
  actions?: ReactNode;
  /** Short banners have their actions at the right, where there is room. */
  beside?: boolean;
  onDismiss?: () => void;
};

/** A message about the page. An error says what to do, and is read out when it appears. */
export function Banner({ kind = 'info', title, children, traceId, actions, beside = false, onDismiss }: BannerProps) {
  return (
    <div className={classNames(styles.banner, styles[kind])} role={kind === 'error' ? 'alert' : undefined}>
      <Icon name={marks[kind]} />
      <div className={classNames(styles.words, beside && styles.beside)}>
        <div>
          {title && <b>{title}</b>} {children}
        </div>
        {traceId && (
          <div className={styles.trace}>
            {traceId}{' '}
            <CopyButton text={traceId} label="Copy trace id">
              Copy trace id
            </CopyButton>
          </div>
        )}
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {onDismiss && <Button variant="quiet" size="s" icon="close" aria-label="Dismiss" onClick={onDismiss} className={styles.dismiss} />}
    </div>
  );
}
