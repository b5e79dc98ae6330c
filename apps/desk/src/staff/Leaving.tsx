import { useRefusal } from '@portal/app-kit';
import { roles, type Staff, type StaffMember } from '@portal/contract/roles/roles';
import { Button, ButtonRow, Field, Icon, type IconName, Select, Sheet, StateMark } from '@portal/ui';
import { useState } from 'react';
import styles from './Staff.module.css';
import { dayOf, leavesOn } from './staff-words.ts';

const counted = (count: number, one: string, many: string): string => (count === 1 ? `1 ${one}` : `${count} ${many}`);

/** Cases, sessions and roles of a person who leaves, before their access is ended. Whose roles all end soon is chosen already. */
export function Leaving({ staff: { members }, onEnd }: { staff: Staff; onEnd: (loginId: string) => void }) {
  const [now] = useState(() => new Date());
  const refusal = useRefusal(roles.endStaff);
  const working = members.filter(({ disabled }) => !disabled);
  const soonest = working
    .flatMap(person => leavesOn(person, now) ?? [])
    .toSorted()
    .at(0);
  const [chosen, setChosen] = useState(working.find(person => soonest !== undefined && leavesOn(person, now) === soonest)?.loginId ?? '');
  const person = working.find(({ loginId }) => loginId === chosen);
  const lastDay = person && leavesOn(person, now);
  return (
    <Sheet
      title="Leaving"
      meta={lastDay && <StateMark state="warning">last day {dayOf(lastDay)}</StateMark>}
      actions={
        <Field label={<span className="vh">Person</span>}>
          <Select
            size="s"
            options={[
              { value: '', label: 'Choose a person' },
              ...working.filter(({ isMe }) => !isMe).map(({ loginId, fullName }) => ({ value: loginId, label: fullName })),
            ]}
            value={chosen}
            onChange={({ target }) => setChosen(target.value)}
          />
        </Field>
      }
    >
      {person ? (
        <>
          <ul className={styles.bullets}>
            {effectsOf(person, working).map(({ icon, fact, words }) => (
              <li key={fact}>
                <Icon name={icon} />
                <span>
                  <b>{fact}</b> {words}
                </span>
              </li>
            ))}
          </ul>
          <ButtonRow>
            <Button variant="danger" refusal={refusal} refusalIn="note" onClick={() => onEnd(person.loginId)}>
              {person.openCases > 0 ? 'Hand over and end access' : 'End access'}
            </Button>
          </ButtonRow>
        </>
      ) : (
        <p className="quiet small">Choose a person to see what they hand over before their access ends.</p>
      )}
    </Sheet>
  );
}

/** The effects of ending a person's access: to their cases, sessions and roles, and to who administers staff. */
function effectsOf(person: StaffMember, working: readonly StaffMember[]): { icon: IconName; fact: string; words: string }[] {
  const others = working.filter(({ loginId }) => loginId !== person.loginId);
  const isAdministrator = ({ roles: held }: StaffMember): boolean => held.some(({ role }) => role === 'administrator');
  const left = others.filter(isAdministrator).map(({ fullName }) => fullName);
  const roleNames = person.roles.map(({ name }) => name);
  return [
    {
      icon: 'inbox',
      fact: person.openCases === 0 ? 'No open cases' : counted(person.openCases, 'open case', 'open cases'),
      words: person.openCases === 0 ? 'to hand over' : 'to hand over to a colleague, whom you choose',
    },
    {
      icon: 'user',
      fact: roleNames.length === 0 ? 'No role' : counted(roleNames.length, 'role ends', 'roles end'),
      words: roleNames.length === 0 ? 'to end' : `immediately: ${new Intl.ListFormat('en').format(roleNames)}`,
    },
    {
      icon: 'sign-out',
      fact: person.sessions === 0 ? 'No open session' : counted(person.sessions, 'open session', 'open sessions'),
      words: person.sessions === 0 ? 'to end' : 'signed out',
    },
    ...(isAdministrator(person)
      ? [
          {
            icon: 'contacts' as const,
            fact: 'Administrators left:',
            words: left.length === 0 ? 'none. Give another person the role first' : new Intl.ListFormat('en').format(left),
          },
        ]
      : []),
  ];
}
