import { later } from '@portal/app-kit/page/later';
import { Page, useAddress, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import {
  affectedKinds,
  announcementCategories,
  audiences,
  severities,
  stagesOf,
  type StaffAnnouncement,
} from '@portal/contract/announcements/announcement-shapes';
import { deskAnnouncements } from '@portal/contract/announcements/desk';
import { pages } from '@portal/contract/pages';
import { servicesInWords } from '@portal/contract/service-names';
import {
  Breadcrumb,
  Button,
  ButtonRow,
  DateText,
  Field,
  formatCount,
  KeyValueList,
  LinkButton,
  Sheet,
  Stack,
  StateMark,
  TextArea,
} from '@portal/ui';
import { useState } from 'react';
import { announcementMarks } from './announcement-marks.ts';
import { AnnouncementUpdates } from './AnnouncementUpdates.tsx';

const AnnouncementForm = later(() => import('./AnnouncementForm.tsx'), 'AnnouncementForm');

/** One announcement: its text, who it reaches, and what staff do about it. */
export function AnnouncementView({ announcementId }: { announcementId: string }) {
  const address = useAddress();
  const announcement = useAnswer(deskAnnouncements.getStaffAnnouncement, { announcementId });
  if (address.get('act') === 'change') return <AnnouncementForm announcement={announcement} key={announcement.version} />;
  const { title, body, state, category, severity, audience, resources, economies, kinds, accounts, requiresAck, publishAt, expiresAt } =
    announcement;
  const { people, subscribers, acknowledged, happensFrom, happensUntil, services, concerns, updates } = announcement;
  const mark = announcementMarks[state];
  const isOut = state === 'published' || state === 'ended';
  return (
    <Page
      title={title}
      sub={<StateMark state={mark.state}>{mark.words}</StateMark>}
      breadcrumb={<Breadcrumb items={[{ label: pages.deskAnnouncements.title, href: pages.deskAnnouncements.path }, { label: title }]} />}
    >
      <Stack gap={16}>
        <Sheet title="Text">
          <p dir="auto" style={{ maxWidth: '72ch', whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
            {body}
          </p>
        </Sheet>
        <Sheet title="Reach">
          <KeyValueList
            align="left"
            items={[
              { key: 'Category', value: `${announcementCategories[category]}, ${severities[severity].toLowerCase()}` },
              { key: 'For', value: audiences[audience] },
              ...(resources.length > 0 ? [{ key: 'Resources', value: <span className="mono">{resources.join(', ')}</span> }] : []),
              ...(economies.length > 0 ? [{ key: 'Economies', value: economies.join(', ') }] : []),
              ...(kinds.length > 0 ? [{ key: 'Kinds', value: kinds.map(kind => affectedKinds[kind]).join(', ') }] : []),
              ...(audience === 'resources' ? [{ key: 'Accounts', value: accountsInWords(accounts) }] : []),
              { key: 'People', value: formatCount(people) },
              ...(stagesOf[category] && audience === 'all'
                ? [{ key: 'E-mail subscribers', value: subscribersInWords(announcement, subscribers) }]
                : []),
              { key: requiresAck ? 'Acknowledged by' : 'Dismissed by', value: acknowledged },
              ...(publishAt ? [{ key: 'Published', value: <DateText value={publishAt} /> }] : []),
              ...(expiresAt ? [{ key: 'Ends', value: <DateText value={expiresAt} /> }] : []),
              ...(happensFrom ? [{ key: 'Begins', value: <DateText value={happensFrom} /> }] : []),
              ...(happensUntil ? [{ key: 'Is over', value: <DateText value={happensUntil} /> }] : []),
              ...(services.length > 0 ? [{ key: 'Affected services', value: servicesInWords(services) }] : []),
              ...(concerns.length > 0 ? [{ key: 'About', value: <span className="mono">{concerns.join(', ')}</span> }] : []),
              ...(announcement.withdrawReason ? [{ key: 'Withdrawn', value: announcement.withdrawReason }] : []),
            ]}
          />
        </Sheet>
        {stagesOf[category] && (updates.length > 0 || isOut) && <AnnouncementUpdates announcement={announcement} mayWrite={isOut} />}
        {state !== 'withdrawn' && <Acts announcement={announcement} />}
      </Stack>
    </Page>
  );
}

/** Addresses of the status page, without a login, that chose one of the services; of what the status page doesn’t show, they get nothing. */
function subscribersInWords({ category, severity }: StaffAnnouncement, subscribers: number): string {
  if (category !== 'maintenance' && severity === 'info') return 'None, as it is information only';
  return `${formatCount(subscribers)} without a login, by the services they chose`;
}

/** Most names of accounts that are listed; the others are counted. */
const MAX_NAMES = 20;
function accountsInWords(accounts: readonly string[]): string {
  if (accounts.length === 0) return 'No account holds them';
  const more = accounts.length > MAX_NAMES ? ` and ${formatCount(accounts.length - MAX_NAMES)} more` : '';
  return `${formatCount(accounts.length)}: ${accounts.slice(0, MAX_NAMES).join(', ')}${more}`;
}

function Acts({ announcement: { announcementId, version, state, title } }: { announcement: StaffAnnouncement }) {
  const { notify } = useKit();
  const [withdrawing, setWithdrawing] = useState(false);
  const refusal = useRefusal(deskAnnouncements.withdrawAnnouncement);
  const withdraw = useChange(deskAnnouncements.withdrawAnnouncement, {
    refresh: [deskAnnouncements.getStaffAnnouncement, deskAnnouncements.listStaffAnnouncements],
    showsErrors: true,
    onDone: () => notify({ text: `“${title}” is withdrawn.` }),
  });
  const form = useForm(
    deskAnnouncements.withdrawAnnouncement.body,
    { reason: '' },
    {
      name: 'withdraw-announcement',
      toBody: values => ({ ...values, version }),
      ifEmpty: { reason: 'Enter a reason' },
      change: withdraw,
      send: body => withdraw.mutate({ announcementId, body }),
    },
  );
  return (
    <Sheet title="Actions">
      <Stack gap={12}>
        <ButtonRow>
          <LinkButton href={`${pages.deskAnnouncements.path}?announcement=${announcementId}&act=change`} icon="edit">
            {state === 'draft' ? 'Change or publish' : 'Change'}
          </LinkButton>
          {state !== 'draft' && !withdrawing && (
            <Button variant="danger" refusal={refusal} onClick={() => setWithdrawing(true)}>
              Withdraw
            </Button>
          )}
        </ButtonRow>
        {withdrawing && (
          <ActForm form={form} label="Withdraw" act="Withdraw the announcement" kind="danger" onClose={() => setWithdrawing(false)}>
            <Field
              label="Reason"
              help="For the registry’s own records. E-mails that were sent can’t be taken back."
              {...form.field('reason')}
            >
              <TextArea rows={2} {...form.input('reason')} />
            </Field>
          </ActForm>
        )}
      </Stack>
    </Sheet>
  );
}
