import { DraftNote, useAccount, useChange, useKit, WhyNot } from '@portal/app-kit';
import { Form, FormProblems } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { accessRequests } from '@portal/contract/contacts/access-requests';
import { type Contact, contacts } from '@portal/contract/contacts/contacts';
import { Banner, Button, DateText, Field, Grid, Panel, Stack, TextArea } from '@portal/ui';
import { ContactManagementOff } from '../ContactManagementOff.tsx';
import { ContactFacts } from '../ContactFacts.tsx';
import styles from '../Contact.module.css';
import { useContactRequest, useEditModes } from '../contact-acts.ts';
import { changeOf, diffOf, fieldOfCode, formOf, rebased, registryDecides, typesInOrder } from '../contact-form.ts';
import { contactOf, countWords, registryWords } from '../contact-words.ts';
import { ContactChanges } from './ContactChanges.tsx';
import { ContactDetails } from './ContactDetails.tsx';
import { ContactRole } from './ContactRole.tsx';
import { useOpen, useUnsaved } from './contact-editing.ts';
import { StaleContact } from './StaleContact.tsx';

type EditorForm = ReturnType<typeof useContactForm>['form'];
type ContactDiff = ReturnType<typeof diffOf>;

/** The form of one contact: values, changes, and concurrent changes by others. */
export function ContactEditor({ contact }: { contact: Contact }) {
  const { form, draft, change, before, values, now, isStale, diff, open, way } = useContactForm(contact);
  const canChange = open.details || open.role !== 'reading';

  return (
    <Form form={form} bare>
      <Grid columns="split-wide">
        <Stack gap={16}>
          {way.by === 'off' && <ContactManagementOff own={contact.isMe} />}
          {!form.wasSent && <DraftNote draft={draft} changes={diff.count} onDiscard={form.reset} />}
          {contact.registryRequest && (
            <Banner kind="pending" title={`${registryWords(contact.registryRequest)}.`}>
              {contact.registryRequest.requestedBy} asked for it on <DateText value={contact.registryRequest.requestedAt} shape="date" />.
            </Banner>
          )}
          <FormProblems form={form} />
          {way.by === 'none' && way.refusal.rule === 'second-factor' && <WhyNot refusal={way.refusal} />}
          <ContactDetails contact={contact} form={form} open={open} />
          <ContactRole before={before} form={form} open={open} />
        </Stack>
        <div className={styles.beside}>
          {isStale ? (
            <StaleContact
              before={before}
              form={values}
              now={now}
              onApply={() => {
                draft.set({ before: now, form: rebased(values, before, now) });
                change.reset();
              }}
              onDrop={form.reset}
            />
          ) : canChange ? (
            <ChangesPanel contact={contact} before={before} diff={diff} form={form} open={open} />
          ) : null}
          <ContactFacts contact={contact} />
        </div>
      </Grid>
    </Form>
  );
}

/** The changes, and the button that saves them. */
function ChangesPanel({
  contact,
  before,
  diff,
  form,
  open,
}: {
  contact: Contact;
  before: Contact;
  diff: ContactDiff;
  form: EditorForm;
  open: ReturnType<typeof useOpen>;
}) {
  const decides = registryDecides(before, form.values);
  return (
    <Panel
      title="Changes"
      pending={diff.count > 0}
      footer={
        <>
          <Button
            type="submit"
            variant="commit"
            busy={form.busy}
            refusal={diff.count === 0 ? { reason: 'No changes to save' } : null}
            refusalIn="note"
          >
            {open.role === 'asking' && !contact.isMe
              ? 'Send request'
              : decides
                ? 'Ask the registry'
                : diff.count === 0
                  ? 'Save'
                  : `Save ${countWords(diff.count, 'change', 'changes')}`}
          </Button>
          {diff.count > 0 && (
            <Button variant="quiet" onClick={form.reset}>
              Undo
            </Button>
          )}
        </>
      }
    >
      <Stack gap={12}>
        <output className="vh">{diff.count > 0 ? `${countWords(diff.count, 'change', 'changes')} not saved` : ''}</output>
        {diff.count === 0 ? <p className="small muted">No changes yet.</p> : <ContactChanges diff={diff} />}
        {diff.contactTypes && !before.permissions && (
          <p className="small muted">Permissions are reset to the defaults of {contactOf(diff.contactTypes.after)}s.</p>
        )}
        {(decides || (open.role === 'asking' && diff.count > 0)) && (
          <Field
            label={open.role === 'asking' ? 'Reason' : 'Reason for the registry'}
            help={open.role === 'asking' ? 'The people who can approve it see this.' : 'Nothing changes until the registry decides.'}
            optional
            {...form.field('reason')}
          >
            <TextArea rows={3} {...form.input('reason')} />
          </Field>
        )}
      </Stack>
    </Panel>
  );
}

/** The form of a contact: the details of oneself, a change by someone who may, or a request of one who may not. */
function useContactForm(contact: Contact) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const open = useOpen(contact);
  const { change: way } = useEditModes();
  const { before, form: values, draft } = useUnsaved(contact);

  const saved = (now: Contact) => {
    form.reset();
    notify(
      now.registryRequest && registryDecides(before, values)
        ? { kind: 'info', text: `Sent to the registry. Until it decides, ${now.fullName} stays as before.` }
        : {
            text: contact.isMe
              ? 'Your details are saved and confirmed.'
              : `${now.fullName} is saved. They and all corporate contacts get an e-mail.`,
          },
    );
  };
  const options = { refresh: [contacts.listContacts], showsErrors: true, onProposed: (): void => form.reset(), onDone: saved };
  const update = useChange(contacts.updateContact, options);
  const own = useChange(contacts.updateOwnDetails, options);
  const ask = useContactRequest(() => draft.discard());
  const change = contact.isMe ? own : open.role === 'asking' ? ask : update;

  // The newer one of the list's version and that of a refusal.
  const newer = change.error?.code === 'STALE' ? (change.error.current as Contact | undefined) : undefined;
  const now = newer && newer.version > contact.version ? newer : contact;
  const isStale = now.version > before.version;

  const diff = diffOf(before, values);
  const { version, contactId } = before;
  const { fullName, phone, position, contactTypes, reason } = values;
  const details = { version, fullName, phone, position };
  const asked = { kind: 'change-role' as const, contactId, version, contactTypes: typesInOrder(contactTypes), reason };
  const changed = changeOf(before, values);
  const [body, toBody] = contact.isMe
    ? [contacts.updateOwnDetails.body, details]
    : open.role === 'asking'
      ? [accessRequests.requestContactChange.body, asked]
      : [contacts.updateContact.body, changed];
  const form = useForm(body, formOf(contact), {
    name: 'contact',
    draft: { value: values, set: typed => draft.set({ before, form: typed }), discard: draft.discard },
    also: ['permissions'],
    toBody: () => toBody,
    fieldOfCode,
    shownElsewhere: ['STALE'],
    change,
    send: () => {
      if (diff.count === 0 || isStale) return;
      if (contact.isMe) own.mutate({ account, body: details });
      else if (open.role === 'asking') ask.mutate({ account, body: asked });
      else update.mutate({ account, contactId, body: changed });
    },
  });
  return { form, draft, change, before, values, now, isStale, diff, open, way };
}
