import { ErrorWords, Page, useAccount, useAnswer, useChange, useDraft, useKit, useRefusal } from '@portal/app-kit';
import { NewReferral, type Referral, referrals } from '@portal/contract/applications/referrals';
import { pages } from '@portal/contract/pages';
import { type ResourceKind, resourceKinds } from '@portal/contract/resources/resource-kinds';
import {
  Banner,
  Button,
  ButtonRow,
  Checkbox,
  DateText,
  EmptyState,
  ErrorSummary,
  Field,
  FieldGroup,
  FormColumn,
  Grid,
  Select,
  Sheet,
  Stack,
  StateMark,
  TextArea,
  TextInput,
} from '@portal/ui';
import { ConfirmDialog } from '@portal/ui/overlay/Dialog';
import { type FormEvent, useState } from 'react';
import styles from './AddAccountPage.module.css';
import { referralStates, resourceWords, wordsOfResources } from './application-words.ts';
import { economyOptions } from './StepFields.tsx';

const PAGE = 20;

/** A member proposes its customers as members, and follows what becomes of it. */
export default function ReferralApplicationPage() {
  const { accountName: account } = useAccount();
  const [offset, setOffset] = useState(0);
  const { rows, total, notPossible, economies } = useAnswer(referrals.listReferrals, { account, query: { offset, limit: PAGE } });
  return (
    <Page
      title={pages.referralApplication.title}
      sub="Propose your customer as a member: it gets an e-mail, agrees, and completes an application of its own."
    >
      <Grid columns={2} style={{ alignItems: 'start' }}>
        <Sheet title="Your customer">
          {notPossible === null ? (
            <ReferralForm key={account} account={account} economies={economies} />
          ) : (
            <Banner kind="info">{notPossible}.</Banner>
          )}
        </Sheet>
        <Sheet title="Referrals" flush={rows.length > 0}>
          {rows.length === 0 ? (
            <EmptyState title="No referrals yet" picture={false}>
              What becomes of a customer you referred stands here. The application itself is the customer’s.
            </EmptyState>
          ) : (
            <>
              <ul className={styles.list}>
                {rows.map(row => (
                  <ReferralLine key={row.referralId} account={account} row={row} />
                ))}
              </ul>
              {total > PAGE && (
                <div className={styles.line}>
                  <ButtonRow>
                    {offset > 0 && <Button onClick={() => setOffset(offset - PAGE)}>Newer</Button>}
                    {offset + PAGE < total && <Button onClick={() => setOffset(offset + PAGE)}>Older</Button>}
                  </ButtonRow>
                </div>
              )}
            </>
          )}
        </Sheet>
      </Grid>
    </Page>
  );
}

function ReferralLine({ account, row }: { account: string; row: Referral }) {
  const [withdrawing, setWithdrawing] = useState(false);
  const { state, words } = referralStates[row.state];
  const withdraw = useChange(referrals.withdrawReferral, { refresh: [referrals.listReferrals], onDone: () => setWithdrawing(false) });
  return (
    <li className={styles.line}>
      <div className={styles.name}>
        <bdi>{row.orgName}</bdi>
        <span className={styles.about}>
          {row.reference} · <bdi>{row.contactName}</bdi>, {row.contactEmail} · {wordsOfResources(row.resources)}
        </span>
        <span className={styles.about}>
          Sent <DateText value={row.sentAt} shape="date" /> by <bdi>{row.referredBy}</bdi>
          {row.state === 'SENT' && (
            <>
              , open until <DateText value={row.expiresAt} shape="date" />
            </>
          )}
        </span>
      </div>
      <div className={styles.state}>
        <StateMark state={state}>{words}</StateMark>
        {row.state === 'SENT' && (
          <Button size="s" variant="quiet" aria-label={`Withdraw ${row.reference}`} onClick={() => setWithdrawing(true)}>
            Withdraw
          </Button>
        )}
      </div>
      {withdrawing && (
        <ConfirmDialog
          open
          onClose={() => setWithdrawing(false)}
          title={`Withdraw ${row.reference}`}
          act="Withdraw"
          kind="danger"
          keep="Keep it"
          busy={withdraw.isPending}
          onAct={() => withdraw.mutate({ account, referralId: row.referralId })}
        >
          The link that {row.contactName} was sent works no more.
        </ConfirmDialog>
      )}
    </li>
  );
}

type Written = {
  orgName: string;
  economy: string;
  contactName: string;
  contactEmail: string;
  emailAgain: string;
  phone: string;
  resources: ResourceKind[];
  note: string;
  technicalContact: boolean;
};
const nothing: Written = {
  orgName: '',
  economy: '',
  contactName: '',
  contactEmail: '',
  emailAgain: '',
  phone: '',
  resources: [],
  note: '',
  technicalContact: false,
};
const needed: Partial<Record<keyof Written, string>> = {
  orgName: 'Write the legal name of the customer',
  economy: 'Choose the economy of the customer',
  contactName: 'Write whom the e-mail goes to',
  contactEmail: 'Write the e-mail address of the customer',
};

/** What is wrong, by field. */
function problemsOf(written: Written): Partial<Record<string, string>> {
  const found: Partial<Record<string, string>> = {};
  const { emailAgain, ...rest } = written;
  const result = NewReferral.safeParse({ ...rest, consent: true });
  for (const { path, message } of result.error?.issues ?? []) {
    const field = String(path[0]) as keyof Written;
    found[field] ??= written[field] === '' ? (needed[field] ?? message) : message;
  }
  if (emailAgain.trim().toLowerCase() !== written.contactEmail.trim().toLowerCase())
    found['emailAgain'] = 'Write the same e-mail address twice';
  return found;
}

function ReferralForm({ account, economies }: { account: string; economies: readonly string[] }) {
  const { notify } = useKit();
  const refusal = useRefusal(referrals.referCustomer);
  const draft = useDraft(`referral:${account}`, nothing);
  const [consent, setConsent] = useState(false);
  const [sent, setSent] = useState(false);
  const refer = useChange(referrals.referCustomer, {
    refresh: [referrals.listReferrals],
    showsErrors: true,
    onDone: ({ contactEmail }) => {
      notify({ text: `The customer gets an e-mail at ${contactEmail}.` });
      draft.discard();
      setConsent(false);
      setSent(false);
    },
  });
  const written = draft.value;
  const wrong = problemsOf(written);
  const set = (part: Partial<Written>) => draft.set({ ...written, ...part });
  const problemAt = (field: keyof Written): string | undefined => (sent ? wrong[field] : undefined);
  const summary = sent ? Object.entries(wrong).map(([field, message]) => ({ fieldId: `referral-${field}`, message: message! })) : [];
  const again = refer.error?.code === 'ALREADY_REFERRED';
  const send = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (Object.keys(wrong).length > 0 || !consent || refer.isPending) return;
    const { emailAgain: _, ...body } = written;
    refer.mutate({ account, body: { ...body, consent: true, again } });
  };
  const field = (
    name: 'orgName' | 'contactName' | 'contactEmail' | 'emailAgain' | 'phone',
    label: string,
    most: number,
    optional = false,
  ) => (
    <Field id={`referral-${name}`} label={label} error={problemAt(name)} optional={optional}>
      <TextInput
        type={name === 'phone' ? 'tel' : name === 'contactEmail' || name === 'emailAgain' ? 'email' : 'text'}
        dir="auto"
        autoComplete="off"
        maxLength={most}
        value={written[name]}
        onChange={event => set({ [name]: event.target.value })}
      />
    </Field>
  );
  return (
    <form onSubmit={send} noValidate aria-label="Your customer">
      <FormColumn>
        <ErrorSummary errors={summary} />
        {refer.error && (
          <Banner kind={again ? 'warning' : 'error'} traceId={again ? null : refer.error.errors[0]?.traceId}>
            <ErrorWords message={refer.error.message} />
          </Banner>
        )}
        {field('orgName', 'Legal name of the organisation', 255)}
        <Field id="referral-economy" label="Economy" error={problemAt('economy')}>
          <Select value={written.economy} onChange={event => set({ economy: event.target.value })} options={economyOptions(economies)} />
        </Field>
        {field('contactName', 'Contact person', 200)}
        {field('contactEmail', 'E-mail', 254)}
        {field('emailAgain', 'E-mail again', 254)}
        {field('phone', 'Telephone', 40, true)}
        <FieldGroup legend="What the customer wants">
          {resourceKinds.map(kind => (
            <Checkbox
              key={kind}
              checked={written.resources.includes(kind)}
              onChange={event =>
                set({ resources: resourceKinds.filter(each => (each === kind ? event.target.checked : written.resources.includes(each))) })
              }
            >
              {resourceWords[kind]}
            </Checkbox>
          ))}
        </FieldGroup>
        <Field
          id="referral-note"
          label="Note"
          help="For your own list and the registry; it is not mailed."
          error={problemAt('note')}
          optional
        >
          <TextArea rows={3} dir="auto" maxLength={1000} value={written.note} onChange={event => set({ note: event.target.value })} />
        </Field>
        <Checkbox checked={written.technicalContact} onChange={event => set({ technicalContact: event.target.checked })}>
          Propose me as its technical contact
        </Checkbox>
        <Stack gap={8}>
          <Checkbox checked={consent} onChange={event => setConsent(event.target.checked)}>
            The customer agreed that I share these details
          </Checkbox>
        </Stack>
        <ButtonRow>
          <Button
            type="submit"
            variant="primary"
            busy={refer.isPending}
            refusal={refusal ?? (consent ? null : { reason: 'Say first that the customer agreed' })}
          >
            {again ? 'Send it again' : 'Send the referral'}
          </Button>
        </ButtonRow>
      </FormColumn>
    </form>
  );
}
