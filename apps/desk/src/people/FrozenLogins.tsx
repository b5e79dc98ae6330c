import { useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { type FrozenLogin, frozenLogins } from '@portal/contract/identity/frozen-logins';
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
  const [giving, setGiving] = useState(false);
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
          'By the link in an e-mail; which one is forgotten after 30 days.'
        )}{' '}
        The person gets it back by “Forgot password”, with a link to <span className={styles.email}>{login.frozenEmail}</span>.
      </p>
      <p className="quiet small">
        {accounts.length === 0
          ? 'Contact of no account.'
          : accounts.map((accountName, place) => (
              <span key={accountName}>
                {place === 0 ? 'Contact of ' : ', '}
                <Link href={`/desk/accounts/${encodeURIComponent(accountName)}`}>{accountName}</Link>
              </span>
            ))}
      </p>
      {giving ? (
        <UnfreezeForm login={login} onClose={() => setGiving(false)} />
      ) : (
        <ButtonRow>
          <Button
            size="s"
            refusal={refusal}
            refusalIn="note"
            onClick={() => setGiving(true)}
            aria-label={`Give back the login of ${login.fullName}`}
          >
            Give it back
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
      ifEmpty: { reason: 'Write how you made sure who it is' },
      change: unfreeze,
      send: body => unfreeze.mutate({ username, body }),
    },
  );
  return (
    <ActForm form={form} label={`Give back the login of ${fullName}`} act="Give it back" onClose={onClose}>
      <Field
        label="How you made sure who it is"
        help="Such as a call to the number we know. A second person of the registry approves it; the person and their corporate contacts are told, and for 24 hours the login changes nothing."
        {...form.field('reason')}
      >
        <TextArea rows={2} {...form.input('reason')} />
      </Field>
    </ActForm>
  );
}
