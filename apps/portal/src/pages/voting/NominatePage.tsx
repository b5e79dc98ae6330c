import { Page, useAnswer, useChange, useKit, useSession } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { type Nomination, nominations } from '@portal/contract/elections/nominations';
import { pages } from '@portal/contract/pages';
import {
  Banner,
  Breadcrumb,
  Button,
  ButtonRow,
  DateText,
  Field,
  Grid,
  Refusal,
  Sheet,
  Stack,
  StateMark,
  TextArea,
  TextInput,
} from '@portal/ui';
import type { CallAnswer } from '@portal/app-kit';
import { useElectionId } from './election-id.ts';
import { nominationMarks } from './nomination-words.ts';

type Given = CallAnswer<typeof nominations.getNominations>;
const title = pages.nominate.title;

/** `/voting/{electionId}/nominate`: proposes a person, and shows earlier proposals with their state. */
export default function NominatePage() {
  const { account } = useSession();
  const accountName = account && !account.asStaff ? account.accountName : null;
  return <Nominations key={accountName} account={accountName} />;
}

function Nominations({ account }: { account: string | null }) {
  const electionId = useElectionId();
  const given = useAnswer(nominations.getNominations, { electionId, query: account === null ? {} : { account } });
  return (
    <Page
      title={title}
      sub={given.title}
      breadcrumb={<Breadcrumb items={[{ label: pages.voting.title, href: pages.voting.path }, { label: title }]} />}
    >
      <Grid columns={2}>
        {given.eligibility.reason === null ? (
          <NominationForm electionId={electionId} account={account} given={given} />
        ) : (
          <Refusal
            title="You can’t nominate"
            rule={given.eligibility.message}
            help={given.eligibility.detail ? `${given.eligibility.detail}.` : undefined}
          />
        )}
        <Sheet title="Nominated so far">
          <Stack gap={12}>
            {given.rows.length === 0 ? (
              <p className="quiet">No nominations yet. Those you make appear here with the nominee’s answer.</p>
            ) : (
              given.rows.map(row => <OneNomination key={row.nominationId} row={row} account={account} />)
            )}
          </Stack>
        </Sheet>
      </Grid>
    </Page>
  );
}

const refresh = [nominations.getNominations, nominations.listCandidates];

function OneNomination({ row, account }: { row: Nomination; account: string | null }) {
  const { nominationId, fullName, organisation, state, nominatorName, nominatedAt, judgeReason, withdrawable, authorisable } = row;
  const { notify } = useKit();
  const withdraw = useChange(nominations.withdrawNomination, {
    refresh,
    onDone: () => notify({ text: `The nomination of ${fullName} is withdrawn.` }),
  });
  const decide = useChange(nominations.authoriseNomination, {
    refresh,
    onDone: (_, { body }) => notify({ text: body.authorise ? `We ask ${fullName} now.` : `The nomination of ${fullName} is rejected.` }),
  });
  const mark = nominationMarks[state];
  return (
    <Stack gap={8}>
      <p>
        <b className="strong">
          <bdi>{fullName}</bdi>
        </b>
        {organisation && (
          <>
            , <bdi>{organisation}</bdi>
          </>
        )}{' '}
        <StateMark state={mark.state}>{mark.words}</StateMark>
      </p>
      <p className="small quiet">
        Nominated by <bdi>{nominatorName}</bdi>, <DateText value={nominatedAt} />
        {judgeReason && `. ${judgeReason}`}
      </p>
      {(withdrawable || authorisable) && (
        <ButtonRow>
          {authorisable && account && (
            <>
              <Button size="s" busy={decide.isPending} onClick={() => decide.mutate({ account, nominationId, body: { authorise: true } })}>
                Authorise
              </Button>
              <Button size="s" busy={decide.isPending} onClick={() => decide.mutate({ account, nominationId, body: { authorise: false } })}>
                Reject
              </Button>
            </>
          )}
          {withdrawable && (
            <Button size="s" busy={withdraw.isPending} onClick={() => withdraw.mutate({ nominationId })}>
              Withdraw
            </Button>
          )}
        </ButtonRow>
      )}
    </Stack>
  );
}

const nothing = { fullName: '', email: '', emailAgain: '', organisation: '', reason: '' };

function NominationForm({ electionId, account, given }: { electionId: string; account: string | null; given: Given }) {
  const { notify } = useKit();
  const nominate = useChange(nominations.nominate, {
    refresh,
    showsErrors: true,
    onDone: ({ fullName, state }) => {
      form.reset();
      notify({
        text:
          state === 'awaiting-nominee'
            ? `${fullName} is nominated. We asked by e-mail whether they agree.`
            : `${fullName} is nominated. A corporate contact has to authorise it.`,
      });
    },
  });
  const form = useForm(nominations.nominate.body, nothing, {
    name: 'nomination',
    toBody: values => ({ ...values, account: given.byMembers ? account : null }),
    ifEmpty: {
      fullName: 'Enter the full name of the nominee',
      email: 'Enter a valid email address',
      emailAgain: 'Enter the e-mail address again',
      reason: 'Enter why you nominate this person',
    },
    check: ({ email, emailAgain }) => ({
      emailAgain: emailAgain.trim().toLowerCase() === email.trim().toLowerCase() ? undefined : 'Enter the same e-mail address twice',
    }),
    fieldOfCode: { ALREADY_NOMINATED: 'fullName' },
    change: nominate,
    send: body => nominate.mutate({ electionId, body }),
  });
  const { field, input } = form;
  return (
    <Sheet title="Nominee" meta={<span>{given.byMembers ? `by ${account ?? ''}` : 'by you'}</span>}>
      <Stack gap={12}>
        <p>
          You can nominate yourself. The nominee stands only if they agree, until <DateText value={given.closesAt} shape="day-time" />. The
          registry then checks each nomination.
        </p>
        {given.needsAuthorisation && (
          <Banner kind="info">A corporate contact of {account} has to authorise your nomination before the nominee is asked.</Banner>
        )}
        <Form form={form} label={`Nomination in ${given.title}`}>
          <Field label="Full name" {...field('fullName')}>
            <TextInput dir="auto" {...input('fullName')} />
          </Field>
          <Field label="Organisation" optional {...field('organisation')}>
            <TextInput dir="auto" {...input('organisation')} />
          </Field>
          <Field label="E-mail" help="We ask the nominee at this address." {...field('email')}>
            <TextInput type="email" {...input('email')} />
          </Field>
          <Field label="E-mail again" {...field('emailAgain')}>
            <TextInput type="email" {...input('emailAgain')} maxLength={254} />
          </Field>
          <Field label="Reason" help="The nominee and the registry read it." {...field('reason')}>
            <TextArea rows={5} dir="auto" {...input('reason')} />
          </Field>
          <ButtonRow>
            <Button type="submit" variant="commit" busy={form.busy}>
              Nominate
            </Button>
          </ButtonRow>
        </Form>
      </Stack>
    </Sheet>
  );
}
