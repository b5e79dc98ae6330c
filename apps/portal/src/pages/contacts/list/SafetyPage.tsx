import { changedSearch, Page, useAccount, useAnswer, useChange, useKit, usePlace } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { type AccountSafety, accountSafety } from '@portal/contract/contacts/account-safety';
import { DAY_MS, utcDay } from '@portal/contract/days';
import { Breadcrumb, Button, ButtonRow, Field, Icon, Sheet, Stack, StateMark, TextInput } from '@portal/ui';
import { DateInput } from '@portal/ui/form/DateInput';
import styles from '../../../shell/People.module.css';
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
  const form = useForm(
    accountSafety.demandSecondFactor.body,
    { from: secondFactorFrom ?? tomorrow() },
    {
      name: 'second-factor-for-all',
      toBody: ({ from }) => ({ version, from }),
      ifEmpty: { from: 'Choose a day' },
      change: demand,
      send: body => demand.mutate({ account, body }),
    },
  );
  const lacking = colleagues.filter(({ hasSecondFactor }) => !hasSecondFactor).length;
  return (
    <Sheet title="Require two-factor for everyone">
      <Form form={form} label="Require two-factor for everyone">
        <p>
          {secondFactorFrom
            ? `From ${secondFactorFrom} (UTC), contacts need two-factor to open this account.`
            : 'Two-factor is optional for contacts today.'}{' '}
          {lacking === 0 ? 'Everyone has it.' : `${countWords(lacking, 'contact has', 'contacts have')} none.`}
        </p>
        <Field
          label="From"
          help="Contacts without it get an e-mail now, a week before and on the day. They can set it up when they log in."
          {...form.field('from')}
        >
          <DateInput {...form.input('from')} />
        </Field>
        <ButtonRow>
          <Button type="submit" variant="commit" busy={form.busy}>
            {secondFactorFrom ? 'Change date' : 'Require'}
          </Button>
          {secondFactorFrom && <Button onClick={() => demand.mutate({ account, body: { version, from: null } })}>Stop requiring</Button>}
        </ButtonRow>
      </Form>
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
  const set = useChange(accountSafety.setSecurityAddress, {
    refresh,
    showsErrors: true,
    onDone: ({ securityEmailAsked: asked }) => {
      form.reset();
      notify({
        text: asked
          ? `Link sent to ${asked}. The address is used once the link is opened.`
          : 'Only corporate contacts get security e-mails now.',
      });
    },
  });
  const form = useForm(
    accountSafety.setSecurityAddress.body,
    { email: '' },
    {
      name: 'security-address',
      toBody: ({ email }) => ({ version, email }),
      ifEmpty: { email: 'Enter an e-mail address' },
      change: set,
      send: body => set.mutate({ account, body }),
    },
  );
  return (
    <Sheet title="Security address">
      <Form form={form} label="Security address">
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
        <Field label={securityEmail ? 'Change e-mail' : 'E-mail address'} help="We send a link to confirm it." {...form.field('email')}>
          <TextInput type="email" {...form.input('email')} />
        </Field>
        <ButtonRow>
          <Button type="submit" busy={form.busy}>
            Send the link
          </Button>
          {securityEmail && (
            <Button variant="quiet" onClick={() => set.mutate({ account, body: { version, email: null } })}>
              Remove
            </Button>
          )}
        </ButtonRow>
      </Form>
    </Sheet>
  );
}
