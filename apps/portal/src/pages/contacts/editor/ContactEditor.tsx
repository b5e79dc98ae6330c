import { useAccount, useChange, useKit, WhyNot } from '@portal/app-kit';
import { type Contact, contacts } from '@portal/contract/contacts/contacts';
import { Banner, Button, DateText, ErrorSummary, Field, Grid, Panel, Stack, TextArea } from '@portal/ui';
import { type FormEvent, useState } from 'react';
import { useAsking, useWays } from '../contact-acts.ts';
import { changeOf, diffOf, rebased, registryDecides, typesInOrder } from '../contact-form.ts';
import { ContactChanges } from './ContactChanges.tsx';
import { ContactDetails } from './ContactDetails.tsx';
import { ContactFacts } from '../contact/ContactFacts.tsx';
import styles from '../contact/ContactPage.module.css';
import { ContactRole } from './ContactRole.tsx';
import { useOpen, useUnsaved } from './contact-editing.ts';
import { contactOf, countWords, registryWords } from '../contact-words.ts';
import { ContactsOff } from '../ContactsOff.tsx';
import { problemsOfDetails, refusedFields } from '../invitation/invitation-form.ts';
import { StaleContact } from './StaleContact.tsx';

/** The form of one contact: what it is, what changes, and what somebody else changed meanwhile. */
export function ContactEditor({ contact }: { contact: Contact }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const open = useOpen(contact);
  const { change: way } = useWays();
  const { before, form, draft, set } = useUnsaved(contact);
  const [sent, setSent] = useState(false);
  const [wasRestored] = useState(draft.restored);

  const saved = (now: Contact) => {
    draft.discard();
    setSent(false);
    notify(
      now.registryRequest && registryDecides(before, form)
        ? { kind: 'info', text: `The registry was asked. Until it decides, ${now.fullName} stays as before.` }
        : {
            text: contact.isMe
              ? 'Your details are saved and count as confirmed.'
              : `${now.fullName} is saved. They and all corporate contacts get an e-mail.`,
          },
    );
  };
  const proposed = () => {
    draft.discard();
    setSent(false);
  };
  const options = { refresh: [contacts.listContacts], showsErrors: true, onProposed: proposed, onDone: saved };
  const update = useChange(contacts.updateContact, options);
  const own = useChange(contacts.updateOwnDetails, options);
  const ask = useAsking(() => draft.discard());
  const change = contact.isMe ? own : open.role === 'asking' ? ask : update;

  // Whichever is newer: what the list says, or what a refusal handed over.
  const told = change.error?.code === 'STALE' ? (change.error.current as Contact | undefined) : undefined;
  const now = told && told.version > contact.version ? told : contact;
  const isStale = now.version > before.version;

  const diff = diffOf(before, form);
  const refused = change.error && change.error.code !== 'STALE' ? refusedFields(change.error.errors) : {};
  const wrong = sent
    ? { ...problemsOfDetails(form), ...(form.contactTypes.length === 0 && { contactTypes: 'Choose at least one contact type' }) }
    : {};
  const problems = { ...refused, ...wrong };
  const summary = Object.entries(problems).flatMap(([field, message]) =>
    field === 'form' ? [] : [{ fieldId: `contact-${field}`, message }],
  );

  const save = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    const details = problemsOfDetails(form);
    if (diff.count === 0 || isStale || details.fullName || details.phone || form.contactTypes.length === 0) return;
    const { version, contactId } = before;
    if (contact.isMe)
      own.mutate({ account, body: { version, fullName: form.fullName.trim(), phone: form.phone.trim(), position: form.position.trim() } });
    else if (open.role === 'asking')
      ask.mutate({
        account,
        body: { kind: 'CHANGE_ROLE', contactId, version, contactTypes: typesInOrder(form.contactTypes), reason: form.reason.trim() },
      });
    else update.mutate({ account, contactId, body: changeOf(before, form) });
  };
  const canChange = open.details || open.role !== 'reading';
  const undo = () => {
    draft.discard();
    setSent(false);
    change.reset();
  };

  return (
    <form onSubmit={save} noValidate>
      <Grid columns="split-wide">
        <Stack gap={16}>
          {way.by === 'off' && <ContactsOff own={contact.isMe} />}
          {wasRestored && diff.count > 0 && !sent && (
            <Banner kind="info" title="What you had not saved is here again." onDismiss={undo}>
              Dismissing this throws it away.
            </Banner>
          )}
          {contact.registryRequest && (
            <Banner kind="pending" title={`${registryWords(contact.registryRequest)}.`}>
              {contact.registryRequest.requestedBy} asked for it on <DateText value={contact.registryRequest.requestedAt} shape="date" />.
            </Banner>
          )}
          <ErrorSummary errors={summary} />
          {problems.form && (
            <Banner kind="error" traceId={change.error?.errors[0]?.traceId}>
              {problems.form}
            </Banner>
          )}
          {way.by === 'none' && way.refusal.rule === 'second-factor' && <WhyNot refusal={way.refusal} />}
          <ContactDetails contact={contact} form={form} set={set} open={open} problems={problems} />
          <ContactRole before={before} form={form} set={set} open={open} problems={problems} />
        </Stack>
        <div className={styles.beside}>
          {isStale ? (
            <StaleContact
              before={before}
              form={form}
              now={now}
              onApply={() => {
                draft.set({ before: now, form: rebased(form, before, now) });
                change.reset();
              }}
              onDrop={undo}
            />
          ) : canChange ? (
            <Panel
              title="What changes"
              pending={diff.count > 0}
              footer={
                <>
                  <Button
                    type="submit"
                    variant="commit"
                    busy={change.isPending}
                    refusal={diff.count === 0 ? { reason: 'Nothing differs from what is registered' } : null}
                    refusalIn="note"
                  >
                    {open.role === 'asking' && !contact.isMe
                      ? 'Ask for it'
                      : registryDecides(before, form)
                        ? 'Ask the registry'
                        : diff.count === 0
                          ? 'Save'
                          : `Save ${countWords(diff.count, 'change', 'changes')}`}
                  </Button>
                  {diff.count > 0 && (
                    <Button variant="quiet" onClick={undo}>
                      Undo
                    </Button>
                  )}
                </>
              }
            >
              <Stack gap={12}>
                <output className="vh">{diff.count > 0 ? `${countWords(diff.count, 'change', 'changes')} not saved` : ''}</output>
                {diff.count === 0 ? <p className="small muted">Nothing yet.</p> : <ContactChanges diff={diff} />}
                {diff.contactTypes && !before.permissions && (
                  <p className="small muted">The permissions begin anew with those of {contactOf(diff.contactTypes.after)}s.</p>
                )}
                {(registryDecides(before, form) || (open.role === 'asking' && diff.count > 0)) && (
                  <Field
                    label={open.role === 'asking' ? 'Reason' : 'Reason, for the registry'}
                    help={open.role === 'asking' ? 'Those who can approve it read it.' : 'Nothing changes until the registry has decided.'}
                    optional
                  >
                    <TextArea rows={3} maxLength={500} value={form.reason} onChange={event => set({ reason: event.target.value })} />
                  </Field>
                )}
              </Stack>
            </Panel>
          ) : null}
          <ContactFacts contact={contact} />
        </div>
      </Grid>
    </form>
  );
}
