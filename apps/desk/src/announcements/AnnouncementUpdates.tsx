import { useChange, useKit, useRefusal } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { type Stage, stages, stagesOf, type StaffAnnouncement } from '@portal/contract/announcements/announcement-shapes';
import { deskAnnouncements } from '@portal/contract/announcements/desk';
import { Button, DateText, Field, Select, Sheet, Stack, TextArea } from '@portal/ui';
import { useState } from 'react';

/** Updates of an incident or of planned work, the newest first, and the form for another. */
export function AnnouncementUpdates({ announcement, mayWrite }: { announcement: StaffAnnouncement; mayWrite: boolean }) {
  const { updates } = announcement;
  const [isWriting, setWriting] = useState(false);
  const refusal = useRefusal(deskAnnouncements.addAnnouncementUpdate);
  return (
    <Sheet title="Updates">
      <Stack gap={16}>
        {mayWrite &&
          (isWriting ? (
            <UpdateForm announcement={announcement} onClose={() => setWriting(false)} />
          ) : (
            <div>
              <Button refusal={refusal} onClick={() => setWriting(true)}>
                Write an update
              </Button>
            </div>
          ))}
        {updates.length === 0 ? (
          <p className="quiet">No updates yet. They appear on the status page, in the portal and in the feeds.</p>
        ) : (
          updates.map(({ stage, text, at }) => (
            <div key={at}>
              <p>
                <b>{stages[stage]}</b>{' '}
                <span className="small quiet">
                  <DateText value={at} />
                </span>
              </p>
              <p dir="auto" style={{ maxWidth: '72ch', whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
                {text}
              </p>
            </div>
          ))
        )}
      </Stack>
    </Sheet>
  );
}

function UpdateForm({
  announcement: { announcementId, version, category, updates },
  onClose,
}: {
  announcement: StaffAnnouncement;
  onClose: () => void;
}) {
  const { notify } = useKit();
  const choices = stagesOf[category]!;
  const add = useChange(deskAnnouncements.addAnnouncementUpdate, {
    refresh: [deskAnnouncements.getStaffAnnouncement, deskAnnouncements.listStaffAnnouncements],
    showsErrors: true,
    onDone: () => {
      notify({ text: 'The update is published.' });
      onClose();
    },
  });
  const form = useForm(
    deskAnnouncements.addAnnouncementUpdate.body,
    { stage: updates[0]?.stage ?? choices[0], text: '' },
    {
      name: 'announcement-update',
      toBody: values => ({ ...values, version }),
      ifEmpty: { text: 'Enter what readers should know' },
      change: add,
      send: body => add.mutate({ announcementId, body }),
    },
  );
  return (
    <ActForm form={form} label="Write an update" act="Publish the update" onClose={onClose}>
      <Field
        label="State"
        help={form.values.stage === 'over' ? 'It ends now, and its banner disappears. A later update opens it again.' : undefined}
        {...form.field('stage')}
      >
        <Select
          value={form.values.stage}
          options={choices.map(value => ({ value, label: stages[value] }))}
          onChange={({ target }) => form.set({ stage: target.value as Stage })}
        />
      </Field>
      <Field label="Text" help="On the status page, in the portal and in the feeds. No one gets an e-mail again." {...form.field('text')}>
        <TextArea rows={3} dir="auto" {...form.input('text')} />
      </Field>
    </ActForm>
  );
}
