import { changedSearch, ErrorWords, Page, useAccount, useAnswer, useChange, useKit, usePlace } from '@portal/app-kit';
import { type AccountSafety, accountSafety } from '@portal/contract/contacts/account-safety';
import { DAY_MS, utcDay } from '@portal/contract/days';
import { Banner, Breadcrumb, Button, ButtonRow, Field, FormColumn, Icon, Sheet, Stack, StateMark, TextInput } from '@portal/ui';
import { useState } from 'react';
import styles from './People.module.css';
import { countWords, typeWords } from '../contact-words.ts';

/** Account security: two-factor for all contacts, and an address that is notified of every change. */
export default function SafetyPage() {
  const { accountName } = useAccount();
  const { path, search } = usePlace();
  const safety = useAnswer(accountSafety.getAccountSafety, { account: accountName });
  const back = path + changedSearch(search, { view: null });
  return (
    <Page
      title="Account security"
      sub={`Corporate contacts of ${accountName} get an e-mail about changes, with a link that freezes the login that made them.`}
      breadcrumb={<Breadcrumb items={[{ label: 'Account contacts', href: back }, { label: 'Security' }]} />}
    >
      <Stack gap={16}>
        <SecondFactor safety={safety} />
        <Colleagues safety={safety} />
        <SecurityAddress safety={safety} />
      </Stack>
    </Page>
  );
}

const monthWords = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

type Props = { safety: AccountSafety };
const refresh = [accountSafety.getAccountSafety];
const tomorrow = () => utcDay(Date.now() + DAY_MS);

function SecondFactor({ safety: { version, secondFactorFrom, colleagues } }: Props) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const [from, setFrom] = useState(secondFactorFrom ?? tomorrow());
  const demand = useChange(accountSafety.demandSecondFactor, {
    refresh,
    showsErrors: true,
    onDone: ({ secondFactorFrom: now }) =>
      notify({
        text: now
          ? `Two-factor is required for everyone from ${now}. Contacts without it got an e-mail.`
          : 'Two-factor is no longer required.',
      }),
  });
  const lacking = colleagues.filter(({ hasSecondFactor }) => !hasSecondFactor).length;
  return (
    <Sheet title="Require two-factor for everyone">
      <form
        onSubmit={event => {
          event.preventDefault();
          demand.mutate({ account, body: { version, from } });
        }}
      >
        <FormColumn>
          <p>
            {secondFactorFrom
              ? `From ${secondFactorFrom} (UTC), contacts need two-factor to open this account.`
              : 'Two-factor is optional for contacts today.'}{' '}
            {lacking === 0 ? 'Everyone has it.' : `${countWords(lacking, 'contact has', 'contacts have')} none.`}
          </p>
          {demand.error && (
            <Banner kind="error" traceId={demand.error.errors[0]?.traceId}>
              <ErrorWords message={demand.error.message} />
            </Banner>
          )}
          <Field
            label="From"
            help="Contacts without it get an e-mail now, a week before and on the day. They can set it up when they log in."
          >
            <TextInput type="date" value={from} required onChange={event => setFrom(event.target.value)} />
          </Field>
          <ButtonRow>
            <Button type="submit" variant="commit" busy={demand.isPending}>
              {secondFactorFrom ? 'Change date' : 'Require'}
            </Button>
            {secondFactorFrom && <Button onClick={() => demand.mutate({ account, body: { version, from: null } })}>Stop requiring</Button>}
          </ButtonRow>
        </FormColumn>
      </form>
    </Sheet>
  );
}

function Colleagues({ safety: { colleagues } }: Props) {
  return (
    <Sheet title="Status by contact" flush>
      <ul className={styles.list}>
        {colleagues.map(({ contactId, fullName, contactTypes, hasSecondFactor, lastSignIn, frozen }) => (
          <li key={contactId}>
            <div className={styles.words}>
              <div className="strong">{fullName}</div>
              <div className="small quiet">
                {contactTypes.map(type => typeWords[type]).join(', ')},{' '}
                {lastSignIn ? `last signed in ${monthWords.format(new Date(`${lastSignIn}-01T00:00:00Z`))}` : 'never signed in'}
              </div>
            </div>
            {frozen && <StateMark state="invalid">login frozen</StateMark>}
            {hasSecondFactor ? <StateMark state="valid">two-factor on</StateMark> : <StateMark state="warning">none</StateMark>}
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

function SecurityAddress({ safety: { version, securityEmail, securityEmailAsked } }: Props) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const [email, setEmail] = useState('');
  const set = useChange(accountSafety.setSecurityAddress, {
    refresh,
    showsErrors: true,
    onDone: ({ securityEmailAsked: asked }) => {
      setEmail('');
      notify({
        text: asked
          ? `Link sent to ${asked}. The address is used once the link is opened.`
          : 'Only corporate contacts get security e-mails now.',
      });
    },
  });
  return (
    <Sheet title="Security address">
      <form
        onSubmit={event => {
          event.preventDefault();
          set.mutate({ account, body: { version, email: email.trim() } });
        }}
      >
        <FormColumn>
          <p>
            {securityEmail ? (
              <>
                <b>{securityEmail}</b> gets an e-mail about every change, like the corporate contacts.
              </>
            ) : (
              'A shared mailbox that also gets an e-mail about every change. None set.'
            )}
          </p>
          {securityEmailAsked && (
            <p className="small muted">
              <Icon name="clock" /> {securityEmailAsked} has yet to confirm it.
            </p>
          )}
          {set.error && (
            <Banner kind="error" traceId={set.error.errors[0]?.traceId}>
              <ErrorWords message={set.error.message} />
            </Banner>
          )}
          <Field label={securityEmail ? 'Change e-mail' : 'E-mail address'} help="We send a link to confirm it.">
            <TextInput
              type="email"
              required
              autoComplete="off"
              value={email}
              maxLength={254}
              onChange={event => setEmail(event.target.value)}
            />
          </Field>
          <ButtonRow>
            <Button type="submit" busy={set.isPending}>
              Send the link
            </Button>
            {securityEmail && (
              <Button variant="quiet" onClick={() => set.mutate({ account, body: { version, email: null } })}>
                Remove
              </Button>
            )}
          </ButtonRow>
        </FormColumn>
      </form>
    </Sheet>
  );
}
