import { FailureBanner, Page, useAddress, useChange } from '@portal/app-kit';
import { frozenLogins } from '@portal/contract/identity/frozen-logins';
import { pages } from '@portal/contract/pages';
import { desk, type FoundPerson } from '@portal/contract/staff/desk';
import { Button, ButtonRow, EmptyState, Link, Sheet, Stack, StateMark } from '@portal/ui';
import { useState } from 'react';
import { FindForm } from '../shell/FindForm.tsx';
import { useMay } from '../shell/use-may.ts';
import styles from './FindPersonPage.module.css';
import { FrozenLogins } from './FrozenLogins.tsx';

const pageSize = 20;

/** Finds people by address or name. A search counts as a change: it leaves a line in the activity log. */
export default function FindPersonPage() {
  const address = useAddress();
  const may = useMay();
  const [typed, setTyped] = useState(address.get('q') ?? '');
  const [asked, setAsked] = useState<{ q: string; offset: number } | null>(null);
  const find = useChange(desk.findPeople, { showsErrors: true });
  const look = (q: string, offset: number) => {
    setAsked({ q, offset });
    find.mutate({ body: { q, offset, limit: pageSize } });
  };
  return (
    <Page
      title={pages.deskPeople.title}
      sub="Search by e-mail address (or its beginning) or part of a name. Searches are logged as access to personal data."
    >
      <Stack gap={16}>
        {may(frozenLogins.listFrozenLogins) && <FrozenLogins />}
        <FindForm
          label="E-mail address or name"
          typed={typed}
          onType={setTyped}
          onFind={q => look(q, 0)}
          required="Enter an e-mail address or a name"
          busy={find.isPending}
          maxLength={254}
        />
        <FailureBanner failure={find.error} />
        {asked && find.data && (
          <Sheet title={`Found for ${asked.q}`} flush={false}>
            {find.data.people.length === 0 ? (
              <EmptyState title="No one found" picture={false}>
                Enter the beginning of an e-mail address or any part of a name.
              </EmptyState>
            ) : (
              <ul className={styles.people}>
                {find.data.people.map(person => (
                  <Found person={person} key={person.loginId ?? person.email} />
                ))}
              </ul>
            )}
            {(asked.offset > 0 || find.data.more) && (
              <ButtonRow>
                {asked.offset > 0 && <Button onClick={() => look(asked.q, asked.offset - pageSize)}>Previous</Button>}
                {find.data.more && <Button onClick={() => look(asked.q, asked.offset + pageSize)}>Next</Button>}
              </ButtonRow>
            )}
          </Sheet>
        )}
      </Stack>
    </Page>
  );
}

function Found({ person }: { person: FoundPerson }) {
  return (
    <li>
      <div className={styles.head}>
        <b>{person.fullName}</b> <span className={styles.email}>{person.email}</span>
        <span className={styles.marks}>
          {person.staff && <StateMark state="info">registry staff</StateMark>}
          {person.frozen && <StateMark state="invalid">frozen</StateMark>}
          {person.disabled && <StateMark state="closed">disabled</StateMark>}
          {person.loginId === null ? (
            <StateMark state="info">no login</StateMark>
          ) : person.hasSecondFactor ? (
            <StateMark state="valid">two-factor on</StateMark>
          ) : (
            <StateMark state="warning">no two-factor</StateMark>
          )}
        </span>
      </div>
      {person.accounts.length === 0 ? (
        <p className="quiet small">Not a contact of any account.</p>
      ) : (
        <ul className={styles.accounts}>
          {person.accounts.map(({ accountName, orgName, contactTypes, status }) => (
            <li key={accountName}>
              <Link href={`/desk/accounts/${encodeURIComponent(accountName)}`}>{accountName}</Link>{' '}
              <span className="quiet small">
                {orgName}, {contactTypes.join(' and ')}
                {status !== 'active' && `, ${status.replaceAll('-', ' ')}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
