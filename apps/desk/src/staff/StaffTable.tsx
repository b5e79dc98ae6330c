import { useChange, useKit, useRefusal } from '@portal/app-kit';
import { roles, type Staff, type StaffMember } from '@portal/contract/roles/roles';
import { Badge, Button, DateText, StateMark } from '@portal/ui';
import { useState } from 'react';
import { Initials } from '../shell/Initials.tsx';
import styles from './Staff.module.css';
import { factorWords, periodWords } from './staff-words.ts';

type Acts = { onPerson: (loginId: string) => void; onEnd: (loginId: string) => void };

/** Registry staff: roles, second factors, how often they signed in, and the access review with one press a person. */
export function StaffTable({ staff: { members, review }, ...acts }: { staff: Staff } & Acts) {
  return (
    <div className={styles.scroll}>
      <table className={styles.people}>
        <thead>
          <tr>
            <th scope="col">Person</th>
            <th scope="col">Roles</th>
            <th scope="col">Second factors</th>
            <th scope="col">Sign-ins, 20 days</th>
            <th scope="col">Last used</th>
            <th scope="col">Review, {review.quarter}</th>
          </tr>
        </thead>
        <tbody>
          {members.map(person => (
            <Row key={person.loginId} person={person} {...acts} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ person, onPerson, onEnd }: { person: StaffMember } & Acts) {
  const { loginId, fullName, email, isMe, disabled, frozen, isInvited, lastUsedAt, sessions, signIns } = person;
  const [now] = useState(() => new Date());
  return (
    <tr data-gone={disabled || undefined}>
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- it has the name of the person */}
      <th scope="row">
        <span className={styles.person}>
          <Initials name={fullName} me={isMe} />
          <span>
            <button type="button" className={styles.name} onClick={() => onPerson(loginId)}>
              {fullName}
            </button>
            {isMe && <span className="quiet small"> (you)</span>}
            <span className={styles.email} title={email}>
              {email}
            </span>
          </span>
        </span>
      </th>
      <td data-label="Roles">
        <span className={styles.badges}>
          {person.roles.length === 0 && <span className="quiet">No role</span>}
          {person.roles.map(role => {
            const period = periodWords(role, now);
            return (
              <Badge key={role.assignmentId} kind={period === null ? 'line' : 'pending'} icon={period === null ? undefined : 'clock'}>
                {role.name}
                {period !== null && ` ${period}`}
              </Badge>
            );
          })}
          {person.groupRefusals.length > 0 && (
            <Badge kind="pending" icon="warning">
              {person.groupRefusals.length === 1 ? 'a group refused' : `${person.groupRefusals.length} groups refused`}
            </Badge>
          )}
        </span>
      </td>
      <td data-label="Second factors">
        <Factors person={person} />
      </td>
      <td data-label="Sign-ins, 20 days">
        <SignIns days={signIns} />
      </td>
      <td data-label="Last used" className="small">
        {disabled ? (
          <StateMark state="closed">left</StateMark>
        ) : frozen ? (
          <StateMark state="invalid">frozen</StateMark>
        ) : isInvited ? (
          <StateMark state="pending">invited</StateMark>
        ) : lastUsedAt === null ? (
          <span className="quiet">never</span>
        ) : (
          <DateText value={lastUsedAt} shape="date" />
        )}
        {sessions > 0 && <span className={styles.email}>{sessions === 1 ? '1 open session' : `${sessions} open sessions`}</span>}
      </td>
      <td data-label="Access review">
        {!disabled && <Review person={person} onChange={() => onPerson(loginId)} onEnd={() => onEnd(loginId)} />}
      </td>
    </tr>
  );
}

function Factors({ person }: { person: StaffMember }) {
  const words = factorWords(person);
  const state = person.passkeys > 0 ? 'valid' : person.authenticators > 0 ? 'warning' : 'invalid';
  return (
    <StateMark plain state={state}>
      {words}
    </StateMark>
  );
}

/** Bars of the sign-ins on each day, the latest last; the numbers in words for readers. */
function SignIns({ days }: { days: readonly number[] }) {
  const most = Math.max(1, ...days);
  const all = days.reduce((sum, each) => sum + each, 0);
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is drawn of elements, not loaded
    <span className={styles.days} role="img" aria-label={`${all} sign-ins in 20 days, ${days.at(-1) ?? 0} of them in the last day`}>
      {days.map((made, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- a day has no other name
        <i key={place} data-none={made === 0 || undefined} style={{ blockSize: made === 0 ? 2 : 3 + Math.round((13 * made) / most) }} />
      ))}
    </span>
  );
}

function Review({
  person: { loginId, fullName, isMe, roles: held },
  onChange,
  onEnd,
}: {
  person: StaffMember;
  onChange: () => void;
  onEnd: () => void;
}) {
  const { notify } = useKit();
  const refusal = useRefusal(roles.keepRoles);
  const keep = useChange(roles.keepRoles, {
    refresh: [roles.listStaff],
    onDone: () => notify({ text: `${fullName} keeps ${held.length === 1 ? 'the role' : `${held.length} roles`}.` }),
  });
  if (held.length === 0) return <span className="quiet small">no role</span>;
  if (!held.some(({ isDue }) => isDue))
    return (
      <StateMark plain state="valid">
        {held.some(({ reviewedAt }) => reviewedAt !== null) ? 'Kept' : 'New'}
      </StateMark>
    );
  if (isMe) return <span className="quiet small">A colleague reviews you</span>;
  return (
    <span className={styles.review}>
      <Button
        size="s"
        refusal={refusal}
        refusalIn="note"
        busy={keep.isPending}
        aria-label={`Keep the roles of ${fullName}`}
        onClick={() => keep.mutate({ loginId })}
      >
        Keep
      </Button>
      <Button size="s" refusal={refusal} refusalIn="note" aria-label={`Change the roles of ${fullName}`} onClick={onChange}>
        Change
      </Button>
      <Button size="s" variant="danger" refusal={refusal} refusalIn="note" aria-label={`End the access of ${fullName}`} onClick={onEnd}>
        End
      </Button>
    </span>
  );
}
