import { Page, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { staff } from '@portal/contract';
import { pages } from '@portal/contract/pages';
import {
  placeholderNames,
  placeholders,
  type ReplyKind,
  replyKindNames,
  replyKindPermissions,
  replyKinds,
  type ReplyTemplate,
  replyTemplates,
} from '@portal/contract/staff/reply-templates';
import { Button, ButtonRow, Checkbox, DateText, EmptyState, Field, FieldGroup, Sheet, Stack, TextArea, TextInput } from '@portal/ui';
import { ConfirmDialog, Dialog } from '@portal/ui/overlay/Dialog';
import { Quote } from '@portal/ui/text/Quote';
import { useState } from 'react';
import { useMay } from '../shell/use-may.ts';

const refresh = [replyTemplates.listReplyTemplates];

/** The texts that registry staff keep for their answers. */
export default function ReplyTemplatesPage() {
  const { templates } = useAnswer(replyTemplates.listReplyTemplates, {});
  const refusal = useRefusal(replyTemplates.addReplyTemplate);
  const [open, setOpen] = useState<ReplyTemplate | 'new' | null>(null);
  return (
    <Page
      title={pages.deskReplyTemplates.title}
      sub="Texts that all registry staff can insert where they answer a request or a ticket."
      actions={
        <Button variant="primary" icon="plus" refusal={refusal} onClick={() => setOpen('new')}>
          New template
        </Button>
      }
    >
      <Stack gap={16}>
        {templates.length === 0 && (
          <Sheet>
            <EmptyState title="No reply templates yet" picture={false}>
              Keep what you write often, such as how to show the need for addresses.
            </EmptyState>
          </Sheet>
        )}
        {templates.map(template => (
          <Template key={template.templateId} template={template} onChange={() => setOpen(template)} />
        ))}
      </Stack>
      {open && <TemplateDialog template={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </Page>
  );
}

function Template({ template, onChange }: { template: ReplyTemplate; onChange: () => void }) {
  const { templateId, title, text, kinds, savedBy, savedAt } = template;
  const { notify } = useKit();
  const own = useOwnKinds();
  const role = useRefusal(replyTemplates.changeReplyTemplate);
  const refusal = role ?? (kinds.every(kind => own.includes(kind)) ? null : { reason: 'It is also for answers that you don’t give.' });
  const [isLeaving, setLeaving] = useState(false);
  const remove = useChange(replyTemplates.deleteReplyTemplate, {
    refresh,
    onDone: () => notify({ text: `“${title}” is deleted.` }),
  });
  return (
    <Sheet
      title={<bdi>{title}</bdi>}
      actions={
        <ButtonRow>
          <Button size="s" refusal={refusal} refusalIn="note" aria-label={`Change ${title}`} onClick={onChange}>
            Change
          </Button>
          <Button
            size="s"
            variant="quiet"
            refusal={refusal}
            refusalIn="note"
            aria-label={`Delete ${title}`}
            onClick={() => setLeaving(true)}
          >
            Delete
          </Button>
        </ButtonRow>
      }
    >
      <Stack gap={8}>
        <Quote words={text} />
        <p className="quiet small">
          For {inList(kinds)}. Saved by {savedBy}, <DateText value={savedAt} shape="date" />
        </p>
      </Stack>
      <ConfirmDialog
        open={isLeaving}
        onClose={() => setLeaving(false)}
        title={`Delete “${title}”`}
        act="Delete"
        keep="Keep it"
        kind="danger"
        busy={remove.isPending}
        onAct={() => remove.mutate({ templateId })}
      >
        <p>It’s no longer offered to anyone. Answers that were sent with it stay as they are.</p>
      </ConfirmDialog>
    </Sheet>
  );
}

/** Kinds in the middle of a sentence. */
const inList = (kinds: readonly ReplyKind[]): string => {
  const words = replyKindNames.filter(kind => kinds.includes(kind)).map(kind => replyKinds[kind].toLowerCase());
  return words.length === replyKindNames.length ? 'everything' : words.join(', ');
};

/** The kinds that the person answers: texts for others are kept by those who answer them. */
function useOwnKinds(): readonly ReplyKind[] {
  const may = useMay();
  return replyKindNames.filter(kind => may({ access: staff(replyKindPermissions[kind]), method: 'POST' }));
}

function TemplateDialog({ template, onClose }: { template: ReplyTemplate | null; onClose: () => void }) {
  const { notify } = useKit();
  const own = useOwnKinds();
  const onDone = (_: unknown, { body }: { body: { title: string } }) => {
    notify({ text: `“${body.title}” is saved for all registry staff.` });
    onClose();
  };
  const add = useChange(replyTemplates.addReplyTemplate, { refresh, showsErrors: true, onDone });
  const change = useChange(replyTemplates.changeReplyTemplate, { refresh, showsErrors: true, onDone });
  const form = useForm(
    replyTemplates.addReplyTemplate.body,
    { title: template?.title ?? '', text: template?.text ?? '', kinds: (template?.kinds ?? own).join(' ') },
    {
      name: 'reply-template',
      ifEmpty: { title: 'Enter a title, such as Proof of need', text: 'Enter the text', kinds: 'Choose what it is for' },
      toBody: ({ kinds, ...values }) => ({ ...values, kinds: replyKindNames.filter(kind => kinds.split(' ').includes(kind)) }),
      change: template ? change : add,
      send: body => {
        if (template) change.mutate({ templateId: template.templateId, body: { ...body, version: template.version } });
        else add.mutate({ body });
      },
    },
  );
  const kindsField = form.field('kinds');
  const chosen = form.values.kinds.split(' ');
  return (
    <Dialog open onClose={onClose} title={template ? `Change “${template.title}”` : 'New reply template'}>
      <ActForm form={form} act="Save" onClose={onClose}>
        <Field label="Title" {...form.field('title')}>
          <TextInput {...form.input('title')} />
        </Field>
        <Field
          label="Text"
          help={`Replaced where it’s inserted: ${placeholderNames.map(name => `{${name}}, ${placeholders[name]}`).join('; ')}.`}
          {...form.field('text')}
        >
          <TextArea rows={8} dir="auto" {...form.input('text')} />
        </Field>
        <FieldGroup legend="For" error={kindsField.error}>
          <Stack gap={4}>
            {own.map((kind, index) => (
              <Checkbox
                key={kind}
                id={index === 0 ? kindsField.id : undefined}
                checked={chosen.includes(kind)}
                onChange={({ target }) =>
                  form.set({ kinds: replyKindNames.filter(each => (each === kind ? target.checked : chosen.includes(each))).join(' ') })
                }
              >
                {replyKinds[kind]}
              </Checkbox>
            ))}
          </Stack>
        </FieldGroup>
      </ActForm>
    </Dialog>
  );
}
