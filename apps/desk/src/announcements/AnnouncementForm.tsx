import { DraftNote, Page, useChange, useDraft, useKit } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import {
  type AffectedKind,
  affectedKindNames,
  affectedKinds,
  announcementCategories,
  type AnnouncementCategory,
  announcementCategoryNames,
  type Audience,
  audienceNames,
  audiences,
  severities,
  type Severity,
  severityNames,
  stagesOf,
  type StaffAnnouncement,
} from '@portal/contract/announcements/announcement-shapes';
import { deskAnnouncements } from '@portal/contract/announcements/desk';
import { pages } from '@portal/contract/pages';
import { type ServiceName, serviceNames, serviceTitles } from '@portal/contract/service-names';
import {
  Banner,
  Breadcrumb,
  Button,
  ButtonRow,
  Checkbox,
  Field,
  FieldGroup,
  Grid,
  LinkButton,
  Row,
  Select,
  Sheet,
  TextArea,
  TextInput,
} from '@portal/ui';
import { DateTimeInput } from '@portal/ui/form/DateTimeInput';
import { clockTimeOf, instantOf, problemOfTime } from '../shell/official-time.ts';

type Typed = {
  category: AnnouncementCategory;
  severity: Severity;
  title: string;
  body: string;
  audience: Audience;
  resources: string;
  economies: string;
  /** Kinds of resources, with spaces between them. */
  kinds: string;
  requiresAck: boolean;
  publish: 'draft' | 'now' | 'later';
  publishAt: string;
  expiresAt: string;
  happensFrom: string;
  happensUntil: string;
  /** Affected services, with spaces between them; absent in a draft of an earlier release. */
  services?: string;
  concerns: string;
};

/** Returns the kinds that are chosen, in their order. */
const kindsIn = (chosen: string): AffectedKind[] => affectedKindNames.filter(kind => chosen.split(' ').includes(kind));

/** Returns the services that are chosen, in their order. */
const servicesIn = (chosen = ''): ServiceName[] => serviceNames.filter(name => chosen.split(' ').includes(name));

/** Returns what is written in lines or between commas. */
const linesIn = (text: string): string[] =>
  text
    .split(/[\n,]+/)
    .map(each => each.trim())
    .filter(Boolean);

/** Returns the instant of a time of the clock; null for none, and what was typed for one that isn’t. */
const instantIn = (typed: string, zone: string): string | null => (typed === '' ? null : (instantOf(typed, zone) ?? typed));

const kindChoices = [
  { value: '', label: 'Any' },
  ...affectedKindNames.map(kind => ({ value: kind as string, label: affectedKinds[kind] })),
  { value: 'ipv4 ipv6', label: 'IPv4 and IPv6' },
];

const refresh = [deskAnnouncements.getStaffAnnouncement, deskAnnouncements.listStaffAnnouncements];

type AnnouncementValues = ReturnType<typeof useAnnouncementForm>['form'];

/** A new announcement, or another version of one. Times are those of the registry's zone. */
export function AnnouncementForm({ announcement }: { announcement?: StaffAnnouncement }) {
  const { form, draft, change, zone, isOut } = useAnnouncementForm(announcement);
  const { values, set, field, input } = form;
  const title = announcement ? `Change “${announcement.title}”` : 'New announcement';
  return (
    <Page
      title={title}
      sub={isOut ? 'It is published: its audience and time stay, and people aren’t notified again.' : undefined}
      breadcrumb={<Breadcrumb items={[{ label: pages.deskAnnouncements.title, href: pages.deskAnnouncements.path }, { label: title }]} />}
    >
      <Sheet>
        <Form form={form} label={title}>
          {change.error?.code === 'STALE' && (
            <Banner kind="error" title="Someone else changed the announcement.">
              Copy what you need, then go back and open it again.
            </Banner>
          )}
          <DraftNote draft={draft} onDiscard={draft.discard} />
          <KindFields form={form} />
          <Field label="Title" {...field('title')}>
            <TextInput dir="auto" {...input('title')} />
          </Field>
          <Field label="Text" help="Separate paragraphs by an empty line." {...field('body')}>
            <TextArea rows={8} dir="auto" {...input('body')} />
          </Field>
          {!isOut && (
            <Field label="For" {...field('audience')}>
              <Select
                value={values.audience}
                options={audienceNames.map(value => ({ value, label: audiences[value] }))}
                onChange={({ target }) => set({ audience: target.value as Audience })}
              />
            </Field>
          )}
          {!isOut && values.audience === 'resources' && <AffectedFields form={form} />}
          <Checkbox checked={values.requiresAck} onChange={({ target }) => set({ requiresAck: target.checked })}>
            People must acknowledge it
          </Checkbox>
          {!isOut && (
            <Field label="Publish" {...field('publish')}>
              <Select
                value={values.publish}
                options={[
                  { value: 'draft', label: 'Keep as a draft' },
                  { value: 'now', label: 'Now' },
                  { value: 'later', label: 'At a time' },
                ]}
                onChange={({ target }) => set({ publish: target.value as Typed['publish'] })}
              />
            </Field>
          )}
          {!isOut && values.publish === 'later' && (
            <Field label="Publish at" help={`In the time of ${zone}.`} {...field('publishAt')}>
              <DateTimeInput {...input('publishAt')} />
            </Field>
          )}
          <Field
            label="Ends"
            help={`In the time of ${zone}. Then it is no longer current, and its banner disappears.`}
            optional
            {...field('expiresAt')}
          >
            <DateTimeInput {...input('expiresAt')} />
          </Field>
          {stagesOf[values.category] && <ServicesField form={form} />}
          <HappensFields form={form} zone={zone} />
          <AnnouncementButtons announcement={announcement} isOut={isOut} publish={values.publish} busy={form.busy} />
        </Form>
      </Sheet>
    </Page>
  );
}

function AnnouncementButtons({
  announcement,
  isOut,
  publish,
  busy,
}: {
  announcement: StaffAnnouncement | undefined;
  isOut: boolean;
  publish: Typed['publish'];
  busy: boolean;
}) {
  const goesOut = !isOut && publish !== 'draft';
  return (
    <ButtonRow>
      <Button type="submit" variant={goesOut || isOut ? 'commit' : 'primary'} busy={busy}>
        {isOut ? 'Save changes' : publish === 'now' ? 'Publish' : publish === 'later' ? 'Schedule' : 'Save draft'}
      </Button>
      <LinkButton
        href={announcement ? `${pages.deskAnnouncements.path}?announcement=${announcement.announcementId}` : pages.deskAnnouncements.path}
      >
        Back
      </LinkButton>
    </ButtonRow>
  );
}

/** Which resources an announcement is about. */
function AffectedFields({ form: { values, set, field, input } }: { form: AnnouncementValues }) {
  return (
    <>
      <p className="small quiet">
        Accounts that hold a resource to which all of this applies. Save a draft to see how many accounts and people that is.
      </p>
      <Field label="Affected resources" optional help="Prefixes, ranges and AS numbers, one a line." {...field('resources')}>
        <TextArea rows={4} spellCheck={false} {...input('resources')} />
      </Field>
      <Row wrap top gap={16}>
        <Field label="Economies" optional help="Two-letter codes, such as AU, NZ. Empty: all." {...field('economies')}>
          <TextInput spellCheck={false} {...input('economies')} />
        </Field>
        <Field label="Kind of resources" {...field('kinds')}>
          <Select value={values.kinds} options={kindChoices} onChange={({ target }) => set({ kinds: target.value })} />
        </Field>
      </Row>
    </>
  );
}

/** Which services an incident or planned work affects: the status page shows it beside each. */
function ServicesField({ form: { values, set, field } }: { form: AnnouncementValues }) {
  const { id, error } = field('services');
  const chosen = servicesIn(values.services);
  return (
    <FieldGroup
      legend="Affected services"
      error={error}
      help={
        values.audience !== 'all'
          ? 'The status page shows announcements for everyone only.'
          : values.category === 'maintenance'
            ? 'The status page shows the work beside each of them.'
            : 'With the severity Warning, the status page shows these services as delayed until the incident ends; with Critical, as down.'
      }
    >
      <Grid columns={3} gap={4}>
        {serviceNames.map((name, index) => (
          <Checkbox
            key={name}
            id={index === 0 ? id : undefined}
            checked={chosen.includes(name)}
            onChange={({ target }) =>
              set({ services: serviceNames.filter(each => (each === name ? target.checked : chosen.includes(each))).join(' ') })
            }
          >
            {serviceTitles[name]}
          </Checkbox>
        ))}
      </Grid>
    </FieldGroup>
  );
}

/** When the work or the incident happens, and what it is about: the status page shows both. */
function HappensFields({ form: { field, input }, zone }: { form: AnnouncementValues; zone: string }) {
  return (
    <>
      <Row wrap top gap={16}>
        <Field label="Begins" optional help={`The work or incident itself, in the time of ${zone}.`} {...field('happensFrom')}>
          <DateTimeInput {...input('happensFrom')} />
        </Field>
        <Field label="Is over" optional {...field('happensUntil')}>
          <DateTimeInput {...input('happensUntil')} />
        </Field>
      </Row>
      <Field
        label="About these resources"
        optional
        help="Prefixes, ranges and AS numbers, one a line. Every reader sees them."
        {...field('concerns')}
      >
        <TextArea rows={2} spellCheck={false} {...input('concerns')} />
      </Field>
    </>
  );
}

function KindFields({ form: { values, set, field } }: { form: AnnouncementValues }) {
  return (
    <Row wrap top gap={16}>
      <Field label="Category" {...field('category')}>
        <Select
          value={values.category}
          options={announcementCategoryNames.map(value => ({ value, label: announcementCategories[value] }))}
          onChange={({ target }) => set({ category: target.value as AnnouncementCategory })}
        />
      </Field>
      <Field label="Severity" help="Warnings are a banner on every page." {...field('severity')}>
        <Select
          value={values.severity}
          options={severityNames.map(value => ({ value, label: severities[value] }))}
          onChange={({ target }) => set({ severity: target.value as Severity })}
        />
      </Field>
    </Row>
  );
}

/** The form with its draft; saved as a new announcement, or as the next version of one. */
function useAnnouncementForm(announcement: StaffAnnouncement | undefined) {
  const { router, notify, environment } = useKit();
  const zone = environment.registryTimeZone;
  const isOut = announcement?.state === 'published' || announcement?.state === 'ended';
  const clock = (instant: string | null | undefined): string => (instant ? clockTimeOf(instant, zone) : '');
  const initial: Typed = {
    category: announcement?.category ?? 'service',
    severity: announcement?.severity ?? 'info',
    title: announcement?.title ?? '',
    body: announcement?.body ?? '',
    audience: announcement?.audience ?? 'all',
    resources: announcement?.resources.join('\n') ?? '',
    economies: announcement?.economies.join(', ') ?? '',
    kinds: announcement?.kinds.join(' ') ?? '',
    requiresAck: announcement?.requiresAck ?? false,
    publish: announcement?.publishAt ? 'later' : 'draft',
    publishAt: clock(announcement?.publishAt),
    expiresAt: clock(announcement?.expiresAt),
    happensFrom: clock(announcement?.happensFrom),
    happensUntil: clock(announcement?.happensUntil),
    services: announcement?.services.join(' ') ?? '',
    concerns: announcement?.concerns.join('\n') ?? '',
  };
  const draft = useDraft<Typed>(
    announcement ? `announcement-${announcement.announcementId}-${announcement.version}` : 'announcement-new',
    initial,
  );
  const onDone = (saved: StaffAnnouncement) => {
    draft.discard();
    notify({ text: `“${saved.title}” is saved.` });
    router.go(`${pages.deskAnnouncements.path}?announcement=${saved.announcementId}`, { replace: true });
  };
  const add = useChange(deskAnnouncements.addAnnouncement, { refresh, showsErrors: true, onDone });
  const change = useChange(deskAnnouncements.changeAnnouncement, { refresh, showsErrors: true, onDone });
  const form = useForm(deskAnnouncements.addAnnouncement.body, initial, {
    name: 'announcement',
    draft,
    toBody: ({ resources, economies, kinds, publish, publishAt, expiresAt, happensFrom, happensUntil, services, concerns, ...values }) => ({
      ...values,
      services: stagesOf[values.category] ? servicesIn(services) : [],
      economies: values.audience === 'resources' ? economies.split(/[\s,]+/).filter(Boolean) : [],
      kinds: values.audience === 'resources' ? kindsIn(kinds) : [],
      resources: values.audience === 'resources' ? linesIn(resources) : [],
      concerns: linesIn(concerns),
      publishAt: isOut
        ? announcement.publishAt
        : publish === 'draft'
          ? null
          : publish === 'now'
            ? new Date().toISOString()
            : (instantOf(publishAt, zone) ?? publishAt),
      expiresAt: instantIn(expiresAt, zone),
      happensFrom: instantIn(happensFrom, zone),
      happensUntil: instantIn(happensUntil, zone),
    }),
    check: ({ publish, publishAt, expiresAt, happensFrom, happensUntil }) => ({
      ...(publish === 'later' && !isOut && publishAt !== '' && { publishAt: problemOfTime(publishAt, zone) }),
      ...(expiresAt !== '' && { expiresAt: problemOfTime(expiresAt, zone) }),
      ...(happensFrom !== '' && { happensFrom: problemOfTime(happensFrom, zone) }),
      ...(happensUntil !== '' && { happensUntil: problemOfTime(happensUntil, zone) }),
    }),
    shownElsewhere: ['STALE'],
    change: announcement ? change : add,
    send: body => {
      if (announcement)
        change.mutate({ announcementId: announcement.announcementId, body: { version: announcement.version, values: body } });
      else add.mutate({ body });
    },
  });
  return { form, draft, change, zone, isOut };
}
