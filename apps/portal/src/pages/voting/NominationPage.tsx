import { Page, useAnswer, useChange, useKit } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { nominations } from '@portal/contract/elections/nominations';
import { pages } from '@portal/contract/pages';
import { Breadcrumb, Button, ButtonRow, DateText, Field, Grid, KeyValueList, Link, Sheet, Stack, StateMark, TextArea } from '@portal/ui';
import { useElectionId } from './election-id.ts';
import { nominationMarks } from './nomination-words.ts';

const title = pages.nomination.title;
const refresh = [nominations.getOwnNomination, nominations.listCandidates];

/** `/voting/{electionId}/nomination`: the person who was nominated agrees to stand, with a statement, or declines. */
export default function NominationPage() {
  const electionId = useElectionId();
  const given = useAnswer(nominations.getOwnNomination, { electionId });
  const { nomination, open, closesAt } = given;
  const mark = nominationMarks[nomination.state];
  const answers = open && ['awaiting-nominee', 'confirmed', 'eligible'].includes(nomination.state);
  return (
    <Page
      title={title}
      sub={given.title}
      breadcrumb={<Breadcrumb items={[{ label: pages.voting.title, href: pages.voting.path }, { label: title }]} />}
    >
      <Grid columns={2}>
        <Sheet title="Nomination">
          <KeyValueList
            align="left"
            items={[
              { key: 'State', value: <StateMark state={mark.state}>{mark.words}</StateMark> },
              { key: 'Nominated by', value: <bdi>{nomination.accountName ?? nomination.nominatorName}</bdi> },
              { key: 'Reason', value: <span style={{ whiteSpace: 'pre-line' }}>{nomination.reason}</span> },
              { key: 'Nominations close', value: <DateText value={closesAt} shape="day-time" /> },
              ...(nomination.judgeReason ? [{ key: 'Why you can’t stand', value: nomination.judgeReason }] : []),
            ]}
          />
        </Sheet>
        {answers ? (
          <Answer electionId={electionId} given={given} />
        ) : (
          <Sheet title="Your answer">
            <Stack gap={12}>
              <p>{open ? 'This nomination is no longer valid.' : 'Nominations are closed, so your answer can’t be changed.'}</p>
              <p>
                <Link href={`/voting/${electionId}/candidates`}>All candidates</Link>
              </p>
            </Stack>
          </Sheet>
        )}
      </Grid>
    </Page>
  );
}

function Answer({
  electionId,
  given: { nomination, statement, title: election },
}: {
  electionId: string;
  given: { nomination: { state: string }; statement: string; title: string };
}) {
  const { notify } = useKit();
  const answer = useChange(nominations.answerNomination, {
    refresh,
    showsErrors: true,
    onDone: (_, { body }) =>
      notify({ text: body.accept ? 'You agreed to stand. The registry checks the nomination next.' : 'You declined the nomination.' }),
  });
  const form = useForm(
    nominations.answerNomination.body,
    { statement },
    {
      name: 'own-nomination',
      toBody: values => ({ ...values, accept: true }),
      change: answer,
      send: body => answer.mutate({ electionId, body }),
    },
  );
  const agreed = nomination.state !== 'awaiting-nominee';
  return (
    <Sheet title="Your answer">
      <Form form={form} label={`Your answer in ${election}`}>
        <p>
          You stand only if you agree. The voters read your name, your organisation, who nominated you and this statement.
          {agreed && ' If you change the statement, it is checked again.'}
        </p>
        <Field label="Statement" help="Who you are and what you stand for." optional {...form.field('statement')}>
          <TextArea rows={8} dir="auto" {...form.input('statement')} />
        </Field>
        <ButtonRow>
          <Button type="submit" variant="commit" busy={form.busy}>
            {agreed ? 'Save the statement' : 'Agree to stand'}
          </Button>
          <Button
            variant="danger"
            busy={answer.isPending}
            onClick={() => answer.mutate({ electionId, body: { accept: false, statement: '' } })}
          >
            {agreed ? 'Stand down' : 'Decline'}
          </Button>
        </ButtonRow>
      </Form>
    </Sheet>
  );
}
