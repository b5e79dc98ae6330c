import { useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { coolDownHours, type FrozenLogin, frozenLogins } from '@portal/contract/identity/frozen-logins';
import { Button, ButtonRow, DateText, Field, Link, Sheet, StateMark, TextArea } from '@portal/ui';
import { useState } from 'react';
import styles from './FindPersonPage.module.css';

/** Frozen logins, and how to unfreeze one. Renders nothing without any. */
export function FrozenLogins() {
  const { rows } = useAnswer(frozenLogins.listFrozenLogins, {});
  if (rows.length === 0) return null;
  return (
    <Sheet title={rows.length === 1 ? 'One login is frozen' : `${rows.length} logins are frozen`}>
      <ul className={styles.people} aria-label="Frozen logins">
        {rows.map(login => (
          <Frozen login={login} key={login.username} />
        ))}
      </ul>
    </Sheet>
  );
}

function Frozen({ login }: { login: FrozenLogin }) {
  const { notice, accounts } = login;
  const refusal = useRefusal(frozenLogins.unfreezeLogin);
  const [unfreezing, setUnfreezing] = useState(false);
  return (
    <li>
      <div className={styles.head}>
        <b>
          <bdi>{login.fullName}</bdi>
        </b>{' '}
        <span className={styles.email}>{login.email}</span>
        <StateMark state="invalid">
          frozen since <DateText value={login.frozenAt} />
        </StateMark>
        {login.staff && <StateMark state="info">registry staff</StateMark>}
      </div>
      <p className="small muted">
        {notice ? (
          <>
            By the link in{' '}
            {notice.subject === null ? (
              'an e-mail'
            ) : (
              <>
                the e-mail “<bdi>{notice.subject}</bdi>”
              </>
            )}{' '}
            to <span className={styles.email}>{notice.mailedTo}</span>, written <DateText value={notice.at} />.
          </>
        ) : (
          'By the link in an e-mail. Which one is kept for 30 days.'
        )}{' '}
        The person can unfreeze it with “Forgot password”. The link goes to <span className={styles.email}>{login.frozenEmail}</span>.
      </p>
      <p className="quiet small">
        {accounts.length === 0
          ? 'Not a contact of any account.'
          : accounts.map((accountName, place) => (
              <span key={accountName}>
                {place === 0 ? 'Contact of ' : ', '}
                <Link href={`/desk/accounts/${encodeURIComponent(accountName)}`}>{accountName}</Link>
              </span>
            ))}
      </p>
      {unfreezing ? (
        <UnfreezeForm login={login} onClose={() => setUnfreezing(false)} />
      ) : (
        <ButtonRow>
          <Button
            size="s"
            refusal={refusal}
            refusalIn="note"
            onClick={() => setUnfreezing(true)}
            aria-label={`Unfreeze the login of ${login.fullName}`}
          >
            Unfreeze
          </Button>
        </ButtonRow>
      )}
    </li>
  );
}

/** Records how staff identified the person. A second staff member approves it before it takes effect. */
function UnfreezeForm({ login: { username, fullName }, onClose }: { login: FrozenLogin; onClose: () => void }) {
  const { notify } = useKit();
  const unfreeze = useChange(frozenLogins.unfreezeLogin, {
    refresh: [frozenLogins.listFrozenLogins],
    showsErrors: true,
    onProposed: onClose,
    onDone: () => {
      notify({ text: `${fullName} can log in again.` });
      onClose();
    },
  });
  const form = useForm(
    frozenLogins.unfreezeLogin.body,
    { reason: '' },
    {
      name: `thaw-${username}`,
      ifEmpty: { reason: 'Enter how you verified the person' },
      change: unfreeze,
      send: body => unfreeze.mutate({ username, body }),
    },
  );
  return (
    <ActForm form={form} label={`Unfreeze the login of ${fullName}`} act="Unfreeze" onClose={onClose}>
      <Field
        label="How you verified the person"
        help={`Such as a call to the number on file. A second staff member approves it. The person and their corporate contacts get an e-mail, and the login can’t make changes for ${coolDownHours} hours.`}
        {...form.field('reason')}
      >
        <TextArea rows={2} {...form.input('reason')} />
      </Field>
    </ActForm>
  );
}
