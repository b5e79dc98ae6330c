import { useEffect, useState, useSyncExternalStore } from 'react';
import { Icon, type IconName } from '../text/Icon.tsx';
import type { Toast, Toasts } from './toasts.ts';
import styles from './ToastRegion.module.css';

const marks: Record<Toast['kind'], IconName> = { done: 'valid', error: 'invalid', info: 'info' };

function ToastNote({ toast, toasts, stays }: { toast: Toast; toasts: Toasts; stays: boolean }) {
  const dismiss = () => toasts.dismiss(toast.toastId);
  const leaves = !stays && toast.kind !== 'error' && !toast.stays;
  useEffect(() => {
    if (!leaves) return;
    const timer = setTimeout(() => toasts.dismiss(toast.toastId), 8000);
    return () => clearTimeout(timer);
  }, [leaves, toasts, toast.toastId]);
  return (
    <div className={styles.toast}>
      <Icon name={marks[toast.kind]} />
      <span className={styles.words}>
        {toast.text} {toast.action}
      </span>
      <button type="button" className={styles.close} aria-label="Dismiss" onClick={dismiss}>
        <Icon name="close" />
      </button>
    </div>
  );
}

/** Events elsewhere, read out politely. A toast leaves after eight seconds, but not while the pointer or the focus is in the region; an error stays until dismissed. */
export function ToastRegion({ toasts }: { toasts: Toasts }) {
  const list = useSyncExternalStore(toasts.subscribe, toasts.list);
  const [attended, setAttended] = useState(false);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- watches whether the region is being read, does nothing
    <section
      className={styles.region}
      aria-label="Notifications"
      onPointerEnter={() => setAttended(true)}
      onPointerLeave={() => setAttended(false)}
      onFocus={() => setAttended(true)}
      onBlur={() => setAttended(false)}
    >
      <div aria-live="polite" className={styles.list}>
        {list.map(toast => (
          <ToastNote key={toast.toastId} toast={toast} toasts={toasts} stays={attended} />
        ))}
      </div>
    </section>
  );
}
