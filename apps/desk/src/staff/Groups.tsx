import type { Staff } from '@portal/contract/roles/roles';
import { Icon, Sheet } from '@portal/ui';
import styles from './Staff.module.css';

/** Groups of another provider that give roles, as the operator set them, with how many people of the registry have each role by it. */
export function Groups({ staff: { groups, members } }: { staff: Pick<Staff, 'groups' | 'members'> }) {
  const holders = (group: string): number =>
    members.filter(({ disabled, roles }) => !disabled && roles.some(each => each.group === group)).length;
  return (
    <Sheet flush={groups.length > 0} title="Groups of your sign-on" meta={<span className="mono small">STAFF_GROUPS</span>}>
      {groups.length === 0 ? (
        <p className="quiet small">
          No groups give roles here. With another sign-on provider, the operator can pair its groups with roles: a role then counts while a
          person is in the group.
        </p>
      ) : (
        <table className={styles.groups}>
          <thead className="vh">
            <tr>
              <th scope="col">Group</th>
              <th scope="col">Role</th>
              <th scope="col">People</th>
            </tr>
          </thead>
          <tbody>
            {groups.map(({ group, role }) => (
              <tr key={`${group} ${role}`}>
                <th scope="row" className="mono">
                  <bdi>{group}</bdi>
                </th>
                <td>
                  <Icon name="arrow-right" /> {role}
                </td>
                <td className="num">{holders(group)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Sheet>
  );
}
