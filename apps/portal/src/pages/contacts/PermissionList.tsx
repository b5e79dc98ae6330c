import { type ContactType, defaultPermissions, type Permission, permissionGroups, permissionKeys, permissions } from '@portal/contract';
import { Badge, Checkbox, classNames, Icon } from '@portal/ui';
import { useId } from 'react';
import { capital } from './contact-words.ts';
import styles from './PermissionList.module.css';

type Props = {
  /** The requested permissions. */
  held: readonly Permission[];
  /** The current permissions; differences are marked. */
  before?: readonly Permission[] | undefined;
  contactTypes: readonly ContactType[];
  /** Without it the list is read-only. */
  onTick?: ((permission: Permission, on: boolean) => void) | undefined;
  /** Only these, all groups otherwise. */
  only?: readonly Permission[];
  /** Why a permission can't be granted; null if it can. */
  whyNot?: (permission: Permission) => string | null;
};

/** Permissions by group: held, decided manually, valid only with a second factor, about to change. */
export function PermissionList({ only = permissionKeys, ...rest }: Props) {
  const groups = permissionGroups.map(group => ({ group, keys: only.filter(key => permissions[key].group === group) }));
  return (
    <div className={styles.groups}>
      {groups
        .filter(({ keys }) => keys.length > 0)
        .map(({ group, keys }) => (
          <Group key={group} group={group} keys={keys} {...rest} />
        ))}
    </div>
  );
}

function Group({ group, keys, ...rest }: Omit<Props, 'only'> & { group: string; keys: readonly Permission[] }) {
  const id = useId();
  const held = keys.filter(key => rest.held.includes(key)).length;
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={styles.group}>
        {capital(group)} <span className={styles.count}>{`${held} of ${keys.length}`}</span>
      </h3>
      <ul>
        {keys.map(key => (
          <PermissionRow key={key} permission={key} {...rest} />
        ))}
      </ul>
    </section>
  );
}

function PermissionRow({ permission, held, before, contactTypes, onTick, whyNot }: Omit<Props, 'only'> & { permission: Permission }) {
  const { label, secondFactor } = permissions[permission];
  const isHeld = held.includes(permission);
  const changes = before !== undefined && before.includes(permission) !== isHeld;
  const byHand = defaultPermissions(contactTypes).includes(permission) !== isHeld;
  const reason = isHeld ? null : (whyNot?.(permission) ?? null);
  const words = (
    <>
      {label}
      {secondFactor && (
        <span className={styles.factor} title="Applies only when signed in with two-factor">
          <Icon name="shield" label="needs two-factor" />
        </span>
      )}
    </>
  );
  return (
    <li className={classNames(styles.row, changes && styles.changes)}>
      {onTick ? (
        <Checkbox
          checked={isHeld}
          disabled={reason !== null}
          onChange={event => onTick(permission, event.target.checked)}
          help={reason ? capital(reason) : undefined}
        >
          {words}
        </Checkbox>
      ) : (
        <span className={classNames(styles.read, !isHeld && styles.missing)}>
          <Icon name={isHeld ? 'check' : 'minus'} label={isHeld ? 'held' : 'not held'} />
          <span>{words}</span>
        </span>
      )}
      <span className={styles.end}>
        {changes ? (
          <Badge kind="pending" icon={isHeld ? 'plus' : 'minus'}>
            {isHeld ? 'gains' : 'loses'}
          </Badge>
        ) : (
          byHand && contactTypes.length > 0 && <Badge kind="line">{isHeld ? 'granted by hand' : 'removed by hand'}</Badge>
        )}
        <span className={classNames('mono', styles.key)}>{permission}</span>
      </span>
    </li>
  );
}
