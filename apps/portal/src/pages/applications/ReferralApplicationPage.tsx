import { Page, useAccount, useAnswer, useChange, useDraft, useKit, useRefusal } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { type Referral, referrals } from '@portal/contract/applications/referrals';
import { pages } from '@portal/contract/pages';
import { type ResourceKind, resourceKinds } from '@portal/contract/resources/resource-kinds';
import {
  Banner,
  Button,
  ButtonRow,
  Checkbox,
  DateText,
  EmptyState,
  Field,
  FieldGroup,
  Grid,
  Select,
  Sheet,
  StateMark,
  TextArea,
  TextInput,
} from '@portal/ui';
import { ConfirmDialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';
import styles from './AddAccountPage.module.css';
import { referralStates, resourceWords, wordsOfResources } from './application-words.ts';
import { economyOptions } from './economy-options.ts';

const PAGE = 20;

/** Refers customers as members, and shows the progress of their applications. */
export default function ReferralApplicationPage() {
  const { accountName: account } = useAccount();
  const [offset, setOffset] = useState(0);
  const { rows, total, notPossible, economies } = useAnswer(referrals.listReferrals, { account, query: { offset, limit: PAGE } });
  return (
    <Page
      title={pages.referralApplication.title}
      sub="Refer your customer as a member. It gets an e-mail and completes its own application."
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
              Customers you refer appear here with their status. The application belongs to the customer.
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
          {row.state === 'sent' && (
            <>
              , open until <DateText value={row.expiresAt} shape="date" />
            </>
          )}
        </span>
      </div>
      <div className={styles.state}>
        <StateMark state={state}>{words}</StateMark>
        {row.state === 'sent' && (
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
          keep="Cancel"
          busy={withdraw.isPending}
          onAct={() => withdraw.mutate({ account, referralId: row.referralId })}
        >
          The link sent to {row.contactName} stops working.
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
function ReferralForm({ account, economies }: { account: string; economies: readonly string[] }) {
  const { notify } = useKit();
  const refusal = useRefusal(referrals.referCustomer);
  const draft = useDraft(`referral:${account}`, nothing);
  const [consent, setConsent] = useState(false);
  const refer = useChange(referrals.referCustomer, {
    refresh: [referrals.listReferrals],
    showsErrors: true,
    onDone: ({ contactEmail }) => {
      notify({ text: `The customer gets an e-mail at ${contactEmail}.` });
      setConsent(false);
      form.reset();
    },
  });
  const again = refer.error?.code === 'ALREADY_REFERRED';
  const form = useForm(referrals.referCustomer.body, nothing, {
    name: 'referral',
    draft,
    also: ['consent'],
    toBody: values => ({ ...values, consent, again }),
    ifEmpty: {
      economy: 'Choose the customer’s economy',
      contactName: 'Enter the name of the contact person',
      contactEmail: 'Enter the customer’s e-mail address',
    },
    check: ({ contactEmail, emailAgain }) => ({
      emailAgain: emailAgain.trim().toLowerCase() === contactEmail.trim().toLowerCase() ? undefined : 'Enter the same e-mail address twice',
    }),
    shownElsewhere: ['ALREADY_REFERRED'],
    change: refer,
    send: body => refer.mutate({ account, body }),
  });
  const { values, set, field, input } = form;
  return (
    <Form form={form} label="Your customer">
      {again && <Banner kind="warning">{refer.error?.message}</Banner>}
      <Field label="Legal name of the organisation" {...field('orgName')}>
        <TextInput dir="auto" {...input('orgName')} />
      </Field>
      <Field label="Economy" {...field('economy')}>
        <Select value={values.economy} onChange={event => set({ economy: event.target.value })} options={economyOptions(economies)} />
      </Field>
      <Field label="Contact person" {...field('contactName')}>
        <TextInput dir="auto" {...input('contactName')} />
      </Field>
      <Field label="E-mail" {...field('contactEmail')}>
        <TextInput type="email" dir="auto" {...input('contactEmail')} />
      </Field>
      <Field label="E-mail again" {...field('emailAgain')}>
        <TextInput type="email" dir="auto" {...input('emailAgain')} maxLength={254} />
      </Field>
      <Field label="Telephone" optional {...field('phone')}>
        <TextInput type="tel" dir="auto" {...input('phone')} />
      </Field>
      <FieldGroup legend="What the customer wants">
        {resourceKinds.map(kind => (
          <Checkbox
            key={kind}
            checked={values.resources.includes(kind)}
            onChange={event =>
              set({ resources: resourceKinds.filter(each => (each === kind ? event.target.checked : values.resources.includes(each))) })
            }
          >
            {resourceWords[kind]}
          </Checkbox>
        ))}
      </FieldGroup>
      <Field label="Note" help="Only you and the registry see it." optional {...field('note')}>
        <TextArea rows={3} dir="auto" {...input('note')} />
      </Field>
      <Checkbox checked={values.technicalContact} onChange={event => set({ technicalContact: event.target.checked })}>
        Propose me as its technical contact
      </Checkbox>
      <Checkbox id={field('consent').id} checked={consent} onChange={event => setConsent(event.target.checked)}>
        The customer agreed to share these details
      </Checkbox>
      <ButtonRow>
        <Button
          type="submit"
          variant="primary"
          busy={form.busy}
          refusal={refusal ?? (consent ? null : { reason: 'Confirm that the customer agreed' })}
        >
          {again ? 'Send again' : 'Send the referral'}
        </Button>
      </ButtonRow>
    </Form>
  );
}
