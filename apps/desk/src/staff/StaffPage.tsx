import { Page, useAnswer, useRefusal } from '@portal/app-kit';
import { saveTextFile } from '@portal/app-kit/documents/save-text-file';
import { pages } from '@portal/contract/pages';
import { roles, type StaffMember } from '@portal/contract/roles/roles';
import { staffPermissionKeys } from '@portal/contract';
import { Button, ButtonRow, Sheet, Stack, StateMark } from '@portal/ui';
import { useState } from 'react';
import { Groups } from './Groups.tsx';
import { Invitations } from './Invitations.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import { LeaveDialog } from './LeaveDialog.tsx';
import { Leaving } from './Leaving.tsx';
import { NewRoleDialog } from './NewRoleDialog.tsx';
import { PersonDialog } from './PersonDialog.tsx';
import { matrixFile } from './matrix-file.ts';
import { cellWords, RoleMatrix } from './RoleMatrix.tsx';
import styles from './Staff.module.css';
import { StaffTable } from './StaffTable.tsx';
import { dayOf } from './staff-words.ts';

type Open = 'invite' | 'role' | { person: string } | { leaving: string } | null;

/** /desk/staff: who works at the registry, what each role may do, and the access review of the quarter. */
export default function StaffPage() {
  const staff = useAnswer(roles.listStaff, {});
  const invite = useRefusal(roles.inviteStaff);
  const addRole = useRefusal(roles.addRole);
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const { members, review } = staff;
  const named = (loginId: string): StaffMember | undefined => members.find(each => each.loginId === loginId);
  const person = open !== null && typeof open === 'object' && 'person' in open ? named(open.person) : undefined;
  const leaver = open !== null && typeof open === 'object' && 'leaving' in open ? named(open.leaving) : undefined;
  return (
    <Page
      title={pages.deskStaff.title}
      sub={`${count(members.length, 'person', 'people')}, ${count(staff.roles.length, 'role', 'roles')}, ${staffPermissionKeys.length} permissions. Every page and action of the desk needs a permission.`}
      actions={
        <ButtonRow>
          <Button icon="download" onClick={() => saveTextFile('staff-roles.csv', matrixFile(staff.roles, cellWords(staff.conflicts)))}>
            Matrix as CSV
          </Button>
          <Button icon="plus" refusal={addRole} onClick={() => setOpen('role')}>
            New role
          </Button>
          <Button variant="primary" icon="mail" refusal={invite} onClick={() => setOpen('invite')}>
            Invite
          </Button>
        </ButtonRow>
      }
    >
      <Stack gap={16}>
        <Sheet
          flush
          title="People"
          meta={
            <>
              {review.due > 0 ? (
                <StateMark state="warning">
                  {count(review.due, 'role', 'roles')} to review by {dayOf(review.until)}
                </StateMark>
              ) : (
                <StateMark state="valid">All reviewed in {review.quarter}</StateMark>
              )}{' '}
              <span className="quiet small">Each quarter a colleague keeps, changes or ends every role.</span>
            </>
          }
        >
          <StaffTable staff={staff} onPerson={loginId => setOpen({ person: loginId })} onEnd={loginId => setOpen({ leaving: loginId })} />
        </Sheet>
        <Invitations invitations={staff.invitations} />
        <RoleMatrix staff={staff} />
        <div className={styles.two}>
          <Leaving staff={staff} onEnd={loginId => setOpen({ leaving: loginId })} />
          <Groups staff={staff} />
        </div>
      </Stack>
      {open === 'invite' && <InviteDialog staff={staff} onClose={close} />}
      {open === 'role' && <NewRoleDialog staff={staff} onClose={close} />}
      {person && <PersonDialog person={person} staff={staff} onClose={close} onEnd={() => setOpen({ leaving: person.loginId })} />}
      {leaver && <LeaveDialog person={leaver} staff={staff} onClose={close} />}
    </Page>
  );
}

const count = (of: number, one: string, many: string): string => `${of} ${of === 1 ? one : many}`;
