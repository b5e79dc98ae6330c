import { type Permission, permissions } from '@portal/contract';
import styles from './PermissionWords.module.css';

/** Permissions in words, by the group they belong to. */
export function PermissionWords({ held }: { held: readonly Permission[] }) {
  const groups = new Map<string, string[]>();
  for (const key of held) {
    const { group, label } = permissions[key];
    groups.set(group, [...(groups.get(group) ?? []), label]);
  }
  return (
    <dl className={styles.permissions}>
      {[...groups].map(([group, labels]) => (
        <div key={group}>
          <dt>{group.charAt(0).toUpperCase() + group.slice(1)}</dt>
          <dd>{labels.join(', ')}</dd>
        </div>
      ))}
    </dl>
  );
}
