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
      title="Safety of the account"
      sub={`Everybody who answers for ${accountName} is told of changes by e-mail, with a link that freezes the login they were made with.`}
      breadcrumb={<Breadcrumb items={[{ label: 'Account contacts', href: back }, { label: 'Safety' }]} />}
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
          ? `From ${now} on everybody needs a second factor. Those without one were told.`
          : 'Nobody needs a second factor for being a contact.',
      }),
  });
  const lacking = colleagues.filter(({ hasSecondFactor }) => !hasSecondFactor).length;
  return (
    <Sheet title="A second factor of everybody">
      <form
        onSubmit={event => {
          event.preventDefault();
          demand.mutate({ account, body: { version, from } });
        }}
      >
        <FormColumn>
          <p>
            {secondFactorFrom
              ? `From ${secondFactorFrom} (UTC) on contacts get in here with a second factor only.`
              : 'Contacts get in without one, where nothing else asks for it.'}{' '}
            {lacking === 0 ? 'Everybody has one.' : `${countWords(lacking, 'contact has', 'contacts have')} none.`}
          </p>
          {demand.error && (
            <Banner kind="error" traceId={demand.error.errors[0]?.traceId}>
              <ErrorWords message={demand.error.message} />
            </Banner>
          )}
          <Field
            label="From"
            help="Those without one get an e-mail now, a week before and on the day. Nobody is shut out: it is added at log in."
          >
            <TextInput type="date" value={from} required onChange={event => setFrom(event.target.value)} />
          </Field>
          <ButtonRow>
            <Button type="submit" variant="commit" busy={demand.isPending}>
              {secondFactorFrom ? 'Change the day' : 'Demand it'}
            </Button>
            {secondFactorFrom && (
              <Button onClick={() => demand.mutate({ account, body: { version, from: null } })}>Stop to demand it</Button>
            )}
          </ButtonRow>
        </FormColumn>
      </form>
    </Sheet>
  );
}

function Colleagues({ safety: { colleagues } }: Props) {
  return (
    <Sheet title="Who has one" flush>
      <ul className={styles.list}>
        {colleagues.map(({ contactId, fullName, contactTypes, hasSecondFactor, lastSignIn, frozen }) => (
          <li key={contactId}>
            <div className={styles.words}>
              <div className="strong">{fullName}</div>
              <div className="small quiet">
                {contactTypes.map(type => typeWords[type]).join(', ')},{' '}
                {lastSignIn ? `last signed in ${monthWords.format(new Date(`${lastSignIn}-01T00:00:00Z`))}` : 'no sign-in known'}
              </div>
            </div>
            {frozen && <StateMark state="invalid">login frozen</StateMark>}
            {hasSecondFactor ? <StateMark state="valid">second factor</StateMark> : <StateMark state="warning">none</StateMark>}
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
          ? `A link was sent to ${asked}. The address counts once it was opened there.`
          : 'Only the corporate contacts are told now.',
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
                <b>{securityEmail}</b> is told of every change beside the corporate contacts.
              </>
            ) : (
              'A mailbox that several people read is told of every change beside the corporate contacts. There is none yet.'
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
          <Field label={securityEmail ? 'Another address' : 'E-mail address'} help="It gets a link first.">
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
                Take it away
              </Button>
            )}
          </ButtonRow>
        </FormColumn>
      </form>
    </Sheet>
  );
}
