import { Banner, CopyButton, Stack } from '@portal/ui';
import type { ReactNode } from 'react';
import styles from './SecretOnce.module.css';

type SecretOnceProps = {
  /** Name of what the secret belongs to. */
  label: string;
  /** Named as the remedy when the secret is lost, such as `the key`. */
  rotates: string;
  /** Null if it was shown before. */
  secret: string | null;
  /** Why it has to be stored. */
  about: string;
  /** How it is used. */
  children?: ReactNode;
};

/** A new secret, which is shown only once. */
export function SecretOnce({ label, rotates, secret, about, children }: SecretOnceProps) {
  if (secret === null)
    return (
      <Banner kind="warning" title="The secret was already shown.">
        {label} exists, but its secret can’t be shown again. If you don’t have it, rotate {rotates}.
      </Banner>
    );
  return (
    <Stack gap={12}>
      <Banner kind="warning" title="Store the secret now.">
        {about}
      </Banner>
      {/* No picture of the page is kept. */}
      <div className={styles.secret} data-shown-once="">
        <code className="mono">{secret}</code>
        <CopyButton text={secret} label="Copy secret" />
      </div>
      {children}
    </Stack>
  );
}
