import { staffPermissionGroup, staffPermissionGroups, staffPermissionWords } from '@portal/contract/staff-permission-words';
import { staffPermissionKeys } from '@portal/contract';
import { Page, useAnswer } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { roles } from '@portal/contract/roles/roles';
import { DateText, EmptyState, Sheet, Stack } from '@portal/ui';
import { useState } from 'react';
import styles from './Staff.module.css';
import { giverWords, periodWords } from './staff-words.ts';

/** /desk/own-roles: what the person may do here, by which role, and who gives more. */
export default function OwnRolesPage() {
  const { roles: held, permissions, givers } = useAnswer(roles.getOwnRoles, {});
  const [now] = useState(() => new Date());
  const of = (group: string) => staffPermissionKeys.filter(key => staffPermissionGroup[key] === group && permissions.includes(key));
  const groups = staffPermissionGroups.filter(group => of(group).length > 0);
  return (
    <Page
      title={pages.deskOwnRoles.title}
      sub={
        givers.length === 0
          ? 'The operator of the registry gives roles.'
          : `${new Intl.ListFormat('en', { type: 'disjunction' }).format(givers)} can give you other roles.`
      }
    >
      <Stack gap={16}>
        <Sheet title="Roles">
          {held.length === 0 ? (
            <EmptyState title="You have no role yet" picture={false}>
              A role opens pages of the desk.
            </EmptyState>
          ) : (
            <ul className={styles.held}>
              {held.map(role => (
                <li key={role.assignmentId}>
                  <span>
                    <b>{role.name}</b> {periodWords(role, now)}
                    <span className={styles.email}>
                      {giverWords(role)}, <DateText value={role.givenAt} shape="date" />: <bdi>{role.reason}</bdi>
                    </span>
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Sheet>
        <Sheet title="Permissions" meta={<span>{permissions.length}</span>}>
          {groups.length === 0 ? (
            <EmptyState title="You have no permission yet" picture={false}>
              Each page of the desk needs one. Roles give them.
            </EmptyState>
          ) : (
            <dl className={styles.own}>
              {groups.map(group => (
                <div key={group}>
                  <dt>{group}</dt>
                  {of(group).map(key => (
                    <dd key={key}>{staffPermissionWords[key]}</dd>
                  ))}
                </div>
              ))}
            </dl>
          )}
        </Sheet>
      </Stack>
    </Page>
  );
}
