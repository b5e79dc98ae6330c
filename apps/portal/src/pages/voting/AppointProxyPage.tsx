import { Page, useAccount, useAnswer, useChange, useDateFormat, useKit, useRefusal, useSession, WhyNot } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { messages } from '@portal/contract';
import { proxies } from '@portal/contract/elections/proxies';
import { voting } from '@portal/contract/elections/voting';
import { pages } from '@portal/contract/pages';
import {
  Banner,
  Breadcrumb,
  Button,
  ButtonRow,
  Checkbox,
  DateText,
  Field,
  Grid,
  KeyValueList,
  LinkButton,
  Refusal,
  Sheet,
  Stack,
  TextInput,
} from '@portal/ui';
import { useState } from 'react';
import type { CallAnswer } from '@portal/app-kit';
import { useElectionId } from './election-id.ts';

type Given = CallAnswer<typeof proxies.getProxyForm>;
const title = pages.appointProxy.title;

/** `/voting/{electionId}/appoint-proxy`: the one person who votes in place of the account. */
export default function AppointProxyPage() {
  const { account } = useSession();
  if (!account)
    return (
      <Page title={title}>
        <Refusal title="You can’t appoint a proxy" rule="Only members appoint a proxy." help="Attendees vote for themselves." />
      </Page>
    );
  return <Appointment key={account.accountName} />;
}

function Appointment() {
  const { accountName: account } = useAccount();
  const given = useAnswer(proxies.getProxyForm, { account, electionId: useElectionId() });
  return (
    <Page
      title={title}
      sub={given.title}
      breadcrumb={<Breadcrumb items={[{ label: pages.voting.title, href: pages.voting.path }, { label: title }]} />}
    >
      <Grid columns={2}>
        {given.eligibility.reason === null ? <ProxyForm account={account} given={given} /> : <NotNow account={account} given={given} />}
        {given.closesAt !== null && <Notice account={account} given={{ ...given, closesAt: given.closesAt }} />}
      </Grid>
    </Page>
  );
}

function NotNow({ account, given: { eligibility, proxy } }: { account: string; given: Given }) {
  const { reason, message, detail } = eligibility;
  if (proxy)
    return (
      <Sheet title={`Proxy of ${account}`}>
        <Stack gap={12}>
          <KeyValueList
            align="left"
            items={[
              { key: 'Full name', value: <bdi>{proxy.fullName}</bdi> },
              { key: 'E-mail', value: proxy.email },
              { key: 'Appointed by', value: <bdi>{proxy.appointedBy}</bdi> },
              { key: 'Appointed', value: <DateText value={proxy.appointedAt} /> },
            ]}
          />
          <p>{account} can’t vote directly in this election while the proxy stands.</p>
          <ButtonRow>
            <LinkButton href={pages.proxyHistory.path}>Proxy history</LinkButton>
          </ButtonRow>
        </Stack>
      </Sheet>
    );
  const head = 'You can’t appoint a proxy';
  if (reason === 'MFA_NOT_ENABLED') return <WhyNot title={head} refusal={{ rule: 'second-factor', sentence: message, permission: null }} />;
  if (reason === 'NO_PROXY_PERMISSION')
    return <WhyNot title={head} refusal={{ rule: 'permission', sentence: message, permission: 'nominate-proxy' }} />;
  return (
    <Refusal title={head} rule={`${message}.`.replace(/\.\.$/, '.')} help={detail ? `${detail}.` : undefined}>
      <LinkButton href={pages.voting.path}>Back to voting</LinkButton>
    </Refusal>
  );
}

/** The notice that the corporate contact confirms to have read. */
function Notice({
  account,
  given: { closesAt, proxiesVoteAt, timeZone, ballots, votes, per },
}: {
  account: string;
  given: Given & { closesAt: string };
}) {
  const official = { timeZone, hourCycle: useDateFormat().hourCycle };
  return (
    <Sheet title="Notice">
      <Stack gap={12}>
        <ul style={{ display: 'grid', gap: 8, paddingInlineStart: 18, margin: 0, listStyle: 'disc' }}>
          <li>
            Appointing a proxy removes the right of {account} to vote directly in this election. The proxy casts{' '}
            {votes === 1 ? 'its vote' : `all of its votes${votes ? ` (${votes} per ${per})` : ''}`}.
          </li>
          <li>The appointment is for this election only. An account has one proxy in an election.</li>
          <li>A proxy can only be appointed here, in the portal. Appointments by fax or e-mail don’t count.</li>
          <li>The proxy doesn’t have to be a member or to work for one. We write to the proxy and to all your corporate contacts.</li>
          {ballots === 'encrypted' && (
            <li>
              The voting code moves with the appointment: the proxy signs in with a login of this e-mail address and a second factor, and
              gets the code from the credential authority once appointment has closed. If you revoke the proxy before, your own code votes
              again.
            </li>
          )}
          <li>You can revoke the proxy until appointment closes. A vote that was cast can’t be changed or withdrawn.</li>
        </ul>
        <KeyValueList
          align="left"
          items={[
            { key: 'Appointment closes', value: <DateText value={closesAt} shape="day-time" format={official} /> },
            ...(proxiesVoteAt
              ? [{ key: 'Proxies vote from', value: <DateText value={proxiesVoteAt} shape="day-time" format={official} /> }]
              : []),
            { key: 'Official time', value: timeZone },
          ]}
        />
      </Stack>
    </Sheet>
  );
}

const nothing = { fullName: '', email: '', emailAgain: '' };
const isVoter = (email: string, own: readonly string[]): boolean => own.includes(email.trim().toLowerCase());

function ProxyForm({ account, given: { electionId, title: election, ownEmails } }: { account: string; given: Given }) {
  const { notify, router } = useKit();
  const refusal = useRefusal(proxies.appointProxy);
  const [authorised, setAuthorised] = useState(false);
  const appoint = useChange(proxies.appointProxy, {
    refresh: [proxies.getProxyForm, proxies.listProxies, voting.getMemberVoting],
    showsErrors: true,
    onDone: ({ fullName, email }) => {
      notify({ text: `${fullName} is the proxy of ${account}. We wrote to ${email}.` });
      router.go(pages.proxyHistory.path);
    },
  });
  const form = useForm(proxies.appointProxy.body, nothing, {
    name: 'proxy',
    also: ['authorised'],
    toBody: values => ({ ...values, authorised }),
    ifEmpty: {
      fullName: 'Enter the full name of the proxy',
      email: 'Enter a valid email address',
      emailAgain: 'Enter the e-mail address again',
    },
    check: ({ email, emailAgain }) => ({
      emailAgain: emailAgain.trim().toLowerCase() === email.trim().toLowerCase() ? undefined : 'Enter the same e-mail address twice',
    }),
    change: appoint,
    send: body => appoint.mutate({ account, electionId, body }),
  });
  const { field, input, values } = form;
  // Other failures have the specification's message.
  const failed = appoint.error !== null && (appoint.error.status >= 500 || appoint.error.code === 'UNEXPECTED_ERROR');
  return (
    <Sheet title="Your proxy">
      {failed && <Banner kind="error">{messages.proxyNotSubmitted}</Banner>}
      <Form form={form} label={`Proxy of ${account} in ${election}`}>
        <Field label="Full name" {...field('fullName')}>
          <TextInput dir="auto" {...input('fullName')} />
        </Field>
        <Field label="E-mail" {...field('email')}>
          <TextInput type="email" {...input('email')} />
        </Field>
        {isVoter(values.email, ownEmails) && (
          <Banner kind="info">This person can vote for {account} already, so you don’t need a proxy.</Banner>
        )}
        <Field label="E-mail again" {...field('emailAgain')}>
          <TextInput type="email" {...input('emailAgain')} maxLength={254} />
        </Field>
        <Checkbox id={field('authorised').id} checked={authorised} onChange={event => setAuthorised(event.target.checked)}>
          I am authorised to appoint a proxy for {account} and have read the notice
        </Checkbox>
        <ButtonRow>
          <Button
            type="submit"
            variant="commit"
            busy={form.busy}
            refusal={refusal ?? (authorised ? null : { reason: 'Confirm that you are authorised and have read the notice' })}
          >
            Appoint the proxy
          </Button>
          <LinkButton href={pages.voting.path}>Cancel</LinkButton>
        </ButtonRow>
      </Form>
    </Sheet>
  );
}
