import { canMove } from '@portal/contract/life';
import { electionLife } from '@portal/contract/elections/life';
import { later } from '@portal/app-kit/page/later';
import { Page, useAddress, useAnswer, useChange, useDateFormat, useKit, useRefusal } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { windowKinds } from '@portal/contract/elections/election-windows';
import { electionKinds, elections, missingForPublishing, type StaffElection } from '@portal/contract/elections/elections';
import { scrutiny } from '@portal/contract/elections/scrutiny';
import { pages } from '@portal/contract/pages';
import {
  Banner,
  Breadcrumb,
  Button,
  ButtonRow,
  DateText,
  Field,
  KeyValueList,
  Link,
  LinkButton,
  Sheet,
  Stack,
  StateMark,
  TextArea,
} from '@portal/ui';
import { Suspense, useState } from 'react';
import { useMay } from '../shell/use-may.ts';
import { ElectionApprovals } from './ElectionApprovals.tsx';
import { ElectionFailure } from './ElectionFailure.tsx';
import { ElectionNominations } from './ElectionNominations.tsx';
import { ElectionOptions } from './ElectionOptions.tsx';
import { ElectionProxies } from './ElectionProxies.tsx';
import { ElectionScrutiny } from './ElectionScrutiny.tsx';
import { stateMarks, windowMarks } from './election-words.ts';

const ElectionEncryptedBallot = later(() => import('./ElectionEncryptedBallot.tsx'), 'ElectionEncryptedBallot');
const ElectionObjections = later(() => import('./ElectionObjections.tsx'), 'ElectionObjections');
const ElectionForm = later(() => import('./ElectionForm.tsx'), 'ElectionForm');
const refresh = [elections.getElection, elections.listElections];

/** One election: its facts and timetable, what it lacks, and what staff do about it. */
export function ElectionView({ electionId }: { electionId: string }) {
  const may = useMay();
  const address = useAddress();
  const election = useAnswer(elections.getElection, { electionId });
  if (address.get('act') === 'change') return <ElectionForm election={election} key={election.version} />;
  const mark = stateMarks[election.state];
  return (
    <Page
      title={election.title}
      sub={<StateMark state={mark.state}>{mark.words}</StateMark>}
      breadcrumb={<Breadcrumb items={[{ label: pages.deskElections.title, href: pages.deskElections.path }, { label: election.title }]} />}
    >
      <Stack gap={16}>
        {election.state === 'cancelled' && (
          <Banner kind="warning" title="This election is cancelled.">
            {election.cancelReason}
          </Banner>
        )}
        <ElectionApprovals election={election} />
        {election.state !== 'cancelled' && may(elections.changeElection) && <Acts election={election} />}
        <Facts election={election} />
        <Timetable election={election} />
        {election.publishedAt && election.windows.some(({ kind, url }) => kind === 'nomination' && url === '') && (
          <ElectionNominations election={election} />
        )}
        {election.windows.some(({ kind, url }) => (kind === 'member-vote' || kind === 'attendee-vote') && url === '') && (
          <ElectionOptions election={election} />
        )}
        {election.windows.some(({ kind }) => kind === 'proxy-appoint') && election.publishedAt && (
          <ElectionProxies electionId={electionId} />
        )}
        {election.ballots === 'encrypted' && (
          <Suspense>
            <ElectionEncryptedBallot election={election} />
            {election.publishedAt && <ElectionObjections electionId={electionId} />}
          </Suspense>
        )}
        {election.publishedAt && may(scrutiny.getScrutiny) && <ElectionScrutiny election={election} />}
      </Stack>
    </Page>
  );
}

function Acts({ election }: { election: StaffElection }) {
  const { electionId, version, state } = election;
  const { notify } = useKit();
  const [cancelling, setCancelling] = useState(false);
  const refusal = useRefusal(elections.publishElection);
  const publish = useChange(elections.publishElection, {
    refresh,
    showsErrors: true,
    onDone: ({ title }) => notify({ text: `${title} is published. Its voters can see it now.` }),
  });
  const missing = state === 'draft' ? missingForPublishing(election) : [];
  return (
    <Sheet title={state === 'draft' ? 'Before it is published' : 'Actions'}>
      <Stack gap={12}>
        <ElectionFailure failure={publish.error} onLoad={publish.reset} />
        {missing.length > 0 && (
          <ul>
            {missing.map(({ field, message }) => (
              <li key={field + message}>{message}</li>
            ))}
          </ul>
        )}
        {state === 'draft' && missing.length === 0 && (
          <p>Ready to publish, once a scrutineer approves it. Check the timetable: windows that have opened can’t be moved.</p>
        )}
        <ButtonRow>
          {canMove(electionLife.publish, state) && (
            <Button
              variant="commit"
              busy={publish.isPending}
              refusal={refusal ?? (missing.length > 0 ? { reason: 'Some details are missing' } : null)}
              onClick={() => publish.mutate({ electionId, body: { version } })}
            >
              Publish
            </Button>
          )}
          <LinkButton href={`${pages.deskElections.path}?election=${electionId}&act=change`} icon="edit">
            Change election
          </LinkButton>
          {canMove(electionLife.cancel, state) && !cancelling && (
            <Button variant="danger" refusal={refusal} onClick={() => setCancelling(true)}>
              Cancel the election
            </Button>
          )}
        </ButtonRow>
        {cancelling && <CancelForm election={election} onClose={() => setCancelling(false)} />}
      </Stack>
    </Sheet>
  );
}

function CancelForm({ election: { electionId, version, title, state }, onClose }: { election: StaffElection; onClose: () => void }) {
  const { notify } = useKit();
  const cancel = useChange(elections.cancelElection, {
    refresh,
    showsErrors: true,
    onDone: () => notify({ text: `${title} is cancelled.` }),
    onProposed: onClose,
  });
  const form = useForm(
    elections.cancelElection.body,
    { reason: '' },
    {
      name: 'cancel-election',
      toBody: values => ({ ...values, version }),
      ifEmpty: { reason: 'Enter a reason' },
      shownElsewhere: ['STALE'],
      change: cancel,
      send: body => cancel.mutate({ electionId, body }),
    },
  );
  return (
    <ActForm form={form} label="Cancel the election" act="Cancel election" kind="danger" keep="Keep the election" onClose={onClose}>
      {cancel.error?.code === 'STALE' && <ElectionFailure failure={cancel.error} onLoad={onClose} />}
      <Field
        label="Reason"
        help={
          state === 'published'
            ? 'A scrutineer approves it. People who could see the election see this. Cancelling can’t be undone.'
            : 'A scrutineer approves it. This can’t be undone.'
        }
        {...form.field('reason')}
      >
        <TextArea rows={2} {...form.input('reason')} />
      </Field>
    </ActForm>
  );
}

function Facts({ election }: { election: StaffElection }) {
  const { kind, ballots, description, seats, maxSelections, timeZone, conference, registrationCutOff, candidatesUrl, resultsUrl } =
    election;
  const official = { timeZone, hourCycle: useDateFormat().hourCycle };
  const outside = (href: string) => (
    <Link href={href} target="_blank" style={{ overflowWrap: 'anywhere' }}>
      {href}
      <span className="vh"> in a new window</span>
    </Link>
  );
  return (
    <Sheet title="Election">
      <KeyValueList
        align="left"
        items={[
          { key: 'Kind', value: electionKinds[kind].label },
          ...(ballots === 'encrypted' ? [{ key: 'Ballots', value: 'Encrypted, counted with trustees' }] : []),
          ...(description ? [{ key: 'Description', value: <span style={{ whiteSpace: 'pre-line' }}>{description}</span> }] : []),
          ...(seats === null ? [] : [{ key: 'Seats', value: seats }]),
          ...(maxSelections === null ? [] : [{ key: 'Selections on the ballot', value: maxSelections }]),
          { key: 'Official time zone', value: timeZone },
          ...(conference === null ? [] : [{ key: 'Conference', value: conference }]),
          ...(registrationCutOff === null
            ? []
            : [{ key: 'Last time to register', value: <DateText value={registrationCutOff} format={official} /> }]),
          ...(candidatesUrl ? [{ key: 'Candidates', value: outside(candidatesUrl) }] : []),
          ...(resultsUrl ? [{ key: 'Results', value: outside(resultsUrl) }] : []),
        ]}
      />
    </Sheet>
  );
}

function Timetable({ election: { windows, timeZone } }: { election: StaffElection }) {
  const official = { timeZone, hourCycle: useDateFormat().hourCycle };
  return (
    <Sheet title="Timetable" meta={`Official time, ${timeZone}`}>
      {windows.length === 0 ? (
        <p className="quiet">No timetable yet.</p>
      ) : (
        <KeyValueList
          align="left"
          items={windows.map(window => ({
            key: windowKinds[window.kind],
            value: (
              <Stack gap={4}>
                <span>
                  <DateText value={window.opensAt} format={official} /> to <DateText value={window.closesAt} format={official} />
                </span>
                <span>
                  <StateMark state={windowMarks[window.state].state}>{windowMarks[window.state].words}</StateMark>{' '}
                  <span className="small quiet">{window.words}</span>
                </span>
                <span className="small" style={{ overflowWrap: 'anywhere' }}>
                  {window.url || (
                    <span className="quiet">{window.kind.endsWith('-vote') ? 'The registry’s own ballots' : 'In the portal'}</span>
                  )}
                </span>
              </Stack>
            ),
          }))}
        />
      )}
    </Sheet>
  );
}
