import { staffPermissionGroup, staffPermissionGroups, staffPermissionWords } from '@portal/contract/staff-permission-words';
import { type StaffPermission, staffPermissionKeys } from '@portal/contract';
import { conflictsIn } from '@portal/contract/staff-roles';
import { useChange, useKit, useRefusal } from '@portal/app-kit';
import { roles, type Staff, type StaffRole } from '@portal/contract/roles/roles';
import { Button, Icon, Sheet } from '@portal/ui';
import { ConfirmDialog, Dialog } from '@portal/ui/overlay/Dialog';
import { Fragment, useState } from 'react';
import { useMay } from '../shell/use-may.ts';
import { ArcCell, arcLanes, ConflictList, groupRow, matrixRows } from './RoleArcs.tsx';
import { loggedPermissions, secondPersonPermissions } from './permission-marks.ts';
import styles from './Staff.module.css';

const list = new Intl.ListFormat('en', { type: 'conjunction' });
type Cell = 'does' | 'reads' | 'forbidden' | 'none';
const words: Record<Cell, string> = {
  does: 'may do',
  reads: 'reads',
  forbidden: 'forbidden beside another permission of this role',
  none: 'no',
};

/** Auditors read what others do; a permission that policy keeps apart from one of the role can't be added to it. */
function cellOf(role: StaffRole, permission: StaffPermission, conflicts: Staff['conflicts']): Cell {
  if (role.permissions.includes(permission)) return permission === 'audit' || permission === 'accounts' ? 'reads' : 'does';
  if (conflictsIn([...role.permissions, permission], conflicts).length > 0) return 'forbidden';
  return role.permissions.includes('audit') ? 'reads' : 'none';
}

/** Returns the words of a cell of the matrix. */
export const cellWords =
  (conflicts: Staff['conflicts']) =>
  (role: StaffRole, permission: StaffPermission): string =>
    words[cellOf(role, permission, conflicts)];

/** Roles against permissions, and what policy keeps in different hands. */
export function RoleMatrix({ staff }: { staff: Staff }) {
  const { members, roles: all, conflicts } = staff;
  const [leaving, setLeaving] = useState<StaffRole | null>(null);
  const may = useMay();
  const lanes = arcLanes(conflicts);
  const arcsAt = (row: number) =>
    lanes.map((lane, place) => <ArcCell key={place} staff={staff} part={lane.find(({ from }) => from === row)} />);
  const holders = (key: string): string[] =>
    members.filter(({ disabled, roles: held }) => !disabled && held.some(({ role }) => role === key)).map(({ fullName }) => fullName);
  return (
    <Sheet flush title="Roles and permissions" meta={<Legend />}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and so it is reached by the keyboard */}
      <section className={styles.scroll} aria-label="Table of roles and permissions" tabIndex={0}>
        <table className={styles.matrix}>
          <thead>
            <tr>
              <th scope="col">Permission</th>
              {all.map(role => (
                <th scope="col" key={role.key}>
                  {role.name}
                  <small title={list.format(holders(role.key))}>{holders(role.key).length}</small>
                </th>
              ))}
              {lanes.length > 0 && (
                <th scope="col" colSpan={lanes.length} className={styles.apartHead}>
                  Never one person
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {staffPermissionGroups.map(group => (
              <Fragment key={group}>
                <tr className={styles.group}>
                  <th colSpan={all.length + 1} scope="colgroup">
                    {group}
                  </th>
                  {arcsAt(matrixRows.indexOf(groupRow(group)))}
                </tr>
                {staffPermissionKeys
                  .filter(key => staffPermissionGroup[key] === group)
                  .map(key => (
                    <tr key={key}>
                      <th scope="row">
                        {staffPermissionWords[key]}
                        <PermissionMarks permission={key} />
                      </th>
                      {all.map(role => {
                        const cell = cellOf(role, key, conflicts);
                        return (
                          <td key={role.key}>
                            {cell === 'forbidden' ? (
                              <span className={styles.forbidden}>
                                <Icon name="close" />
                              </span>
                            ) : (
                              <i className={styles.dot} data-kind={cell} />
                            )}
                            <span className="vh">{words[cell]}</span>
                          </td>
                        );
                      })}
                      {arcsAt(matrixRows.indexOf(key))}
                    </tr>
                  ))}
              </Fragment>
            ))}
          </tbody>
        </table>
      </section>
      {conflicts.length > 0 ? (
        <ConflictList staff={staff} />
      ) : (
        <div className={styles.apart}>
          <p className="quiet">Policy lets one person hold any permissions together.</p>
        </div>
      )}
      {may(roles.endRole) && <OwnRoles own={all.filter(({ readyMade }) => !readyMade)} onDelete={setLeaving} />}
      {leaving && <DeleteRole role={leaving} holders={holders(leaving.key)} onClose={() => setLeaving(null)} />}
    </Sheet>
  );
}

/** The signs of the matrix. */
const Legend = () => (
  <span className={styles.legend}>
    <span>
      <i className={styles.dot} data-kind="does" /> May do
    </span>
    <span>
      <i className={styles.dot} data-kind="reads" /> Reads
    </span>
    <span className={styles.forbidden}>
      <Icon name="close" /> Forbidden together
    </span>
    <span>
      <Icon name="contacts" /> Second person
    </span>
    <span>
      <Icon name="shield" /> Logged for the member
    </span>
  </span>
);

/** Whether acts of a permission take a second person, or are written into the member’s log. */
function PermissionMarks({ permission }: { permission: StaffPermission }) {
  const isSecond = secondPersonPermissions.includes(permission);
  const isLogged = loggedPermissions.includes(permission);
  return (
    <>
      {isSecond && (
        <span className={styles.permissionMark} title="At least one act takes a second person">
          <Icon name="contacts" label="with a second person" />
        </span>
      )}
      {isLogged && (
        <span className={styles.permissionMark} title="The member’s log says when it was used">
          <Icon name="shield" label="logged for the member" />
        </span>
      )}
    </>
  );
}

/** The roles that this registry made for itself, which can be deleted. */
function OwnRoles({ own, onDelete }: { own: readonly StaffRole[]; onDelete: (role: StaffRole) => void }) {
  if (own.length === 0) return null;
  return (
    <div className={styles.apart}>
      <b>Own roles</b>
      <ul>
        {own.map(role => (
          <li key={role.key}>
            {role.name}{' '}
            <Button size="s" aria-label={`Delete the role ${role.name}`} onClick={() => onDelete(role)}>
              Delete
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function DeleteRole({ role: { key, name }, holders, onClose }: { role: StaffRole; holders: readonly string[]; onClose: () => void }) {
  const { notify } = useKit();
  const refusal = useRefusal(roles.endRole);
  const end = useChange(roles.endRole, {
    refresh: [roles.listStaff],
    showsErrors: true,
    onDone: () => {
      notify({ text: `The role ${name} is deleted.` });
      onClose();
    },
  });
  if (holders.length > 0)
    return (
      <Dialog open onClose={onClose} title={`${name} can’t be deleted yet`}>
        <p>
          {list.format(holders)} {holders.length === 1 ? 'holds' : 'hold'} it. Withdraw it from them first.
        </p>
      </Dialog>
    );
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete the role ${name}?`}
      act="Delete"
      keep="Keep it"
      kind="danger"
      busy={end.isPending}
      error={refusal?.reason ?? end.error?.message}
      onAct={() => end.mutate({ roleId: key })}
    >
      <p>No one holds it. It can’t be given any more, and deleting it can’t be undone.</p>
    </ConfirmDialog>
  );
}
