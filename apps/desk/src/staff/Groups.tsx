import type { Staff } from '@portal/contract/roles/roles';
import { Sheet } from '@portal/ui';
import styles from './Staff.module.css';

/** Groups of another provider that give roles, as the operator set them. Renders nothing without any. */
export function Groups({ groups }: Pick<Staff, 'groups'>) {
  if (groups.length === 0) return null;
  return (
    <Sheet
      title="Groups of the identity provider"
      meta={<span className="quiet small">A role counts while a person is in the group. The operator sets the pairs (STAFF_GROUPS).</span>}
    >
      <ul className={styles.held}>
        {groups.map(({ group, role }) => (
          <li key={`${group} ${role}`}>
            <span>
              <b>
                <bdi>{group}</bdi>
              </b>{' '}
              gives {role}
            </span>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
