import { DraftNote, Page, useAnswer, useChange, useDraft, useKit } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { type Conference, conferences as conferenceCalls } from '@portal/contract/elections/conferences';
import { type WindowKind, windowKinds } from '@portal/contract/elections/election-windows';
import { type ElectionKind, electionKindNames, electionKinds, elections, type StaffElection } from '@portal/contract/elections/elections';
import { pages } from '@portal/contract/pages';
import { Breadcrumb, Button, ButtonRow, Field, FieldGroup, LinkButton, Row, Select, Sheet, TextArea, TextInput } from '@portal/ui';
import { DateTimeInput } from '@portal/ui/form/DateTimeInput';
import { ElectionFailure } from './ElectionFailure.tsx';
import {
  bodyOf,
  canBeEncrypted,
  emptyElection,
  fieldAt,
  hasAttendees,
  hasSeats,
  problemsOfTimes,
  type TypedElection,
  typedOf,
  windowFieldNames,
  windowsOf,
} from './election-form.ts';

const refresh = [elections.getElection, elections.listElections];

type ElectionValues = ReturnType<typeof useElectionForm>['form'];

/** A new election, or another version of one. */
export function ElectionForm({ election }: { election?: StaffElection }) {
  const { rows: conferences } = useAnswer(conferenceCalls.listConferences, {});
  const { router } = useKit();
  const { form, draft, change, isAnnounced, back } = useElectionForm(election);
  const typed = draft.value;

  const { field, input } = form;

  const title = election ? `Change ${election.title}` : 'New election';

  return (
    <Page
      title={title}
      sub={
        isAnnounced
          ? 'The election is published. What has started can’t be changed.'
          : 'You can save an incomplete draft. Members see the election once it’s published.'
      }
      breadcrumb={
        <Breadcrumb
          items={[
            { label: pages.deskElections.title, href: pages.deskElections.path },
            ...(election ? [{ label: election.title, href: back }] : []),
            { label: election ? 'Change' : 'New election' },
          ]}
        />
      }
    >
      <Sheet>
        <Form form={form} label={title}>
          {change.error?.code === 'STALE' && (
            <ElectionFailure
              failure={change.error}
              onLoad={() => {
                draft.discard();
                router.go(back, { replace: true });
              }}
            />
          )}
          <DraftNote draft={draft} onDiscard={draft.discard} />
          <KindFields form={form} isNew={election === undefined} isAnnounced={isAnnounced} />
          <Field label="Title" {...field('title')}>
            <TextInput {...input('title')} />
          </Field>
          <Field label="Description" optional {...field('description')}>
            <TextArea {...input('description')} />
          </Field>
          {hasSeats(typed.kind) && <SeatFields form={form} />}
          <Field
            label="Official time zone"
            help="All times below are in this time zone. Leave unused windows empty."
            {...field('timeZone')}
          >
            <TextInput {...input('timeZone')} spellCheck={false} maxLength={60} />
          </Field>
          {windowsOf(typed).map(kind => (
            <WindowFields key={kind} kind={kind} form={form} />
          ))}
          {hasAttendees(typed) && <AttendeeFields conferences={conferences} form={form} />}
          <Field label="Candidates page" optional {...field('candidatesUrl')}>
            <TextInput {...input('candidatesUrl')} type="url" placeholder="https://" />
          </Field>
          <Field label="Results page" optional help="Shown once the election is over." {...field('resultsUrl')}>
            <TextInput {...input('resultsUrl')} type="url" placeholder="https://" />
          </Field>
          <ButtonRow>
            <Button type="submit" variant={isAnnounced ? 'commit' : 'primary'} busy={form.busy}>
              {election ? 'Save changes' : 'Save draft'}
            </Button>
            <LinkButton href={back}>Back</LinkButton>
          </ButtonRow>
        </Form>
      </Sheet>
    </Page>
  );
}

/** The kind of an election, and of its ballots, which stays as it was chosen. */
function KindFields({ form: { values, set, field }, isNew, isAnnounced }: { form: ElectionValues; isNew: boolean; isAnnounced: boolean }) {
  return (
    <>
      <Field label="Kind" {...field('kind')} help={isAnnounced ? 'It can’t be changed after publishing.' : undefined}>
        <Select
          value={values.kind}
          options={electionKindNames
            .filter(kind => !isAnnounced || kind === values.kind)
            .map(value => ({ value, label: electionKinds[value].label }))}
          onChange={event => {
            const kind = event.target.value as ElectionKind;
            set({ kind, ...(!canBeEncrypted(kind) && { ballots: 'plain' }) });
          }}
        />
      </Field>
      {isNew && canBeEncrypted(values.kind) && (
        <Field
          label="Ballots"
          help={
            values.ballots === 'encrypted'
              ? 'Voters encrypt their ballots, trustees decrypt the sums, and anyone can verify the count. A credential authority mails voting codes. Without attendees.'
              : 'The registry’s own ballots, or another voting system. This can’t be changed later.'
          }
          {...field('ballots')}
        >
          <Select
            value={values.ballots}
            options={[
              { value: 'plain', label: 'Plain' },
              { value: 'encrypted', label: 'Encrypted' },
            ]}
            onChange={event => set({ ballots: event.target.value as TypedElection['ballots'] })}
          />
        </Field>
      )}
    </>
  );
}

/** Of elections in which attendees of a conference vote. */
function AttendeeFields({
  conferences,
  form: { values, set, field, input },
}: {
  conferences: readonly Conference[];
  form: ElectionValues;
}) {
  return (
    <>
      <Field label="Conference whose attendees vote" optional {...field('conference')}>
        <Select
          value={values.conference}
          options={[
            { value: '', label: 'None' },
            ...conferences.map(({ conference, title: name }) => ({ value: conference, label: `${conference}, ${name}` })),
          ]}
          onChange={event => set({ conference: event.target.value })}
        />
      </Field>
      <Field label="Registration closes" optional {...field('registrationCutOff')}>
        <DateTimeInput {...input('registrationCutOff')} />
      </Field>
    </>
  );
}

/** When something of the election opens and closes, and where. */
function WindowFields({ kind, form: { values, set, field } }: { kind: WindowKind; form: ElectionValues }) {
  const setWindow = (part: Partial<TypedElection['windows'][WindowKind]>) =>
    set({ windows: { ...values.windows, [kind]: { ...values.windows[kind], ...part } } });
  return (
    <FieldGroup legend={windowKinds[kind]}>
      <Row wrap top gap={16}>
        <Field label="Opens" optional {...field(`windows.${kind}.opensAt`)}>
          <DateTimeInput value={values.windows[kind].opensAt} onChange={event => setWindow({ opensAt: event.target.value })} />
        </Field>
        <Field label="Closes" optional {...field(`windows.${kind}.closesAt`)}>
          <DateTimeInput value={values.windows[kind].closesAt} onChange={event => setWindow({ closesAt: event.target.value })} />
        </Field>
      </Row>
      {values.ballots === 'encrypted' && kind.endsWith('-vote') ? (
        <p className="small quiet">Encrypted ballots are cast in the portal.</p>
      ) : kind === 'proxy-appoint' ? (
        <p className="small quiet">Proxies are appointed in the portal only.</p>
      ) : (
        <Field
          label="Address"
          optional
          help={kind === 'nomination' ? 'Empty: people nominate in the portal.' : 'Empty: the registry’s own ballots.'}
          {...field(`windows.${kind}.url`)}
        >
          <TextInput
            type="url"
            value={values.windows[kind].url}
            maxLength={500}
            placeholder="https://"
            onChange={event => setWindow({ url: event.target.value })}
          />
        </Field>
      )}
    </FieldGroup>
  );
}

function SeatFields({ form: { field, input } }: { form: ElectionValues }) {
  return (
    <>
      <Field label="Seats" optional {...field('seats')}>
        <TextInput {...input('seats')} inputMode="numeric" maxLength={2} />
      </Field>
      <Field
        label="Selections on the ballot"
        optional
        help="As set in the voting system. Must equal the number of seats before publishing."
        {...field('maxSelections')}
      >
        <TextInput {...input('maxSelections')} inputMode="numeric" maxLength={2} />
      </Field>
    </>
  );
}

/** The form with its draft; saved as a new election, or as the next version of one. */
function useElectionForm(election: StaffElection | undefined) {
  const { router, notify, environment } = useKit();
  const initial = election ? typedOf(election) : emptyElection(environment.registryTimeZone);
  const draft = useDraft<TypedElection>(election ? `election-${election.electionId}-${election.version}` : 'election-new', initial);
  const back = election ? `${pages.deskElections.path}?election=${election.electionId}` : pages.deskElections.path;
  const onDone = ({ electionId, title }: StaffElection) => {
    draft.discard();
    notify({ text: `${title} is saved.` });
    router.go(`${pages.deskElections.path}?election=${electionId}`, { replace: true });
  };
  const add = useChange(elections.addElection, { refresh, showsErrors: true, onDone });
  const onProposed = () => {
    draft.discard();
    router.go(back, { replace: true });
  };
  const change = useChange(elections.changeElection, { refresh, showsErrors: true, onDone, onProposed });
  const isAnnounced = election !== undefined && election.state !== 'draft';
  const form = useForm(elections.addElection.body, initial, {
    name: 'election',
    draft,
    toBody: bodyOf,
    also: windowFieldNames,
    fieldAt,
    check: problemsOfTimes,
    shownElsewhere: ['STALE'],
    change: election ? change : add,
    send: body => {
      const { ballots: _ballots, ...changed } = body;
      if (election) change.mutate({ electionId: election.electionId, body: { ...changed, version: election.version } });
      else add.mutate({ body });
    },
  });
  return { form, draft, change, isAnnounced, back };
}
