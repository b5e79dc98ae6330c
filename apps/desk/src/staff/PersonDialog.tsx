import { useChange, useKit, useRefusal } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { type HeldRole, roles, type Staff, type StaffMember } from '@portal/contract/roles/roles';
import { Button, ButtonRow, DateText, Stack, StateMark } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';
import { ReasonDialog } from '../shell/ReasonDialog.tsx';
import { checkPeriod, RoleFields, rolesToGive } from './role-fields.tsx';
import styles from './Staff.module.css';
import { giverWords, instantOf, periodWords } from './staff-words.ts';

const refresh = [roles.listStaff];
const countOf = (count: number, one: string): string => (count === 1 ? `1 ${one}` : `${count} ${one}s`);
type Props = { person: StaffMember; staff: Staff; onClose: () => void };

/** One person: roles with who gave them and why, sessions, and what an administrator does about them. */
export function PersonDialog({ person, staff, onClose, onEnd }: Props & { onEnd: () => void }) {
  const [act, setAct] = useState<'give' | HeldRole | null>(null);
  const { notify } = useKit();
  const give = useRefusal(roles.giveRole);
  const sessions = useChange(roles.endStaffSessions, {
    refresh,
    onDone: () => notify({ text: `${person.fullName} is signed out everywhere.` }),
  });
  if (act === 'give') return <GiveRole person={person} staff={staff} onClose={() => setAct(null)} />;
  if (act !== null) return <WithdrawRole person={person} role={act} onClose={() => setAct(null)} />;
  const refusal = give ?? (person.isMe ? { reason: 'Another administrator changes your roles.' } : null);
  return (
    <Dialog open onClose={onClose} title={person.fullName}>
      <Stack gap={12}>
        <p className="quiet small">
          {person.email}
          <br />
          {countOf(person.sessions, 'open session')}, {countOf(person.openCases, 'open case')}
        </p>
        <ul className={styles.held}>
          {person.roles.map(role => (
            <Held key={role.assignmentId} role={role} refusal={refusal} onWithdraw={() => setAct(role)} />
          ))}
        </ul>
        {person.groupRefusals.length > 0 && (
          <ul className={styles.held} aria-label="What groups don’t change">
            {person.groupRefusals.map(({ group, role, why }) => (
              <li key={`${group} ${role}`}>
                <span>
                  <b>{role}</b> by the group {group}
                  <span className={styles.email}>{why}.</span>
                </span>
                <StateMark state="warning">not by the group</StateMark>
              </li>
            ))}
          </ul>
        )}
        {!person.disabled && (
          <ButtonRow>
            <Button icon="plus" refusal={refusal} onClick={() => setAct('give')}>
              Give a role
            </Button>
            <Button
              refusal={give ?? (person.sessions === 0 ? { reason: 'No session is open.' } : null)}
              refusalIn="note"
              busy={sessions.isPending}
              onClick={() => sessions.mutate({ loginId: person.loginId })}
            >
              End sessions
            </Button>
            <Button variant="danger" refusal={refusal} refusalIn="note" onClick={onEnd}>
              End access
            </Button>
          </ButtonRow>
        )}
      </Stack>
    </Dialog>
  );
}

function Held({
  role,
  refusal,
  onWithdraw,
}: {
  role: HeldRole;
  refusal: ReturnType<typeof useRefusal> | { reason: string };
  onWithdraw: () => void;
}) {
  const [now] = useState(() => new Date());
  const period = periodWords(role, now);
  return (
    <li>
      <span>
        <b>{role.name}</b>
        {period !== null && ` ${period}`}
        <span className={styles.email}>
          {giverWords(role)}, <DateText value={role.givenAt} shape="date" />: <bdi>{role.reason}</bdi>
          {role.reviewedBy !== null && ` Kept by ${role.reviewedBy}.`}
          {role.secondFrom !== null && (
            <>
              {' '}
              Second person for {role.givenBy ?? 'others by groups'} from <DateText value={role.secondFrom} shape="date" />.
            </>
          )}
        </span>
      </span>
      <Button size="s" refusal={refusal} refusalIn="note" aria-label={`Withdraw ${role.name}`} onClick={onWithdraw}>
        Withdraw
      </Button>
    </li>
  );
}

function GiveRole({ person, staff, onClose }: Props) {
  const { notify } = useKit();
  const change = useChange(roles.giveRole, {
    refresh,
    showsErrors: true,
    onDone: () => {
      notify({ text: `The role is given to ${person.fullName}, who gets an e-mail.` });
      onClose();
    },
  });
  const form = useForm(
    roles.giveRole.body,
    { role: '', startsAt: '', until: '', reason: '' },
    {
      name: 'give-role',
      ifEmpty: { role: 'Choose a role', reason: 'Say why, such as Joins the finance team' },
      check: checkPeriod,
      toBody: ({ startsAt, until, ...values }) => ({
        ...values,
        startsAt: instantOf(startsAt, 'begin'),
        until: instantOf(until, 'end'),
      }),
      change,
      send: body => change.mutate({ loginId: person.loginId, body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title={`Give ${person.fullName} a role`}>
      <ActForm form={form} act="Give the role" onClose={onClose}>
        <RoleFields form={form} choices={rolesToGive(staff, person.roles)} who={person.fullName} />
      </ActForm>
    </Dialog>
  );
}

function WithdrawRole({ person, role, onClose }: { person: StaffMember; role: HeldRole; onClose: () => void }) {
  return (
    <ReasonDialog
      endpoint={roles.withdrawRole}
      body={roles.withdrawRole.body}
      params={{ assignmentId: role.assignmentId }}
      name="withdraw-role"
      title={`Withdraw ${role.name} from ${person.fullName}?`}
      act="Withdraw"
      keep="Keep the role"
      ifEmpty={`Enter a reason. ${person.fullName} reads it.`}
      done={`${role.name} is withdrawn from ${person.fullName}.`}
      refresh={refresh}
      onClose={onClose}
    >
      <p className="small">This applies immediately. {person.fullName} stays signed in and gets an e-mail.</p>
    </ReasonDialog>
  );
}
