import type { Contact } from '@portal/contract/contacts/contacts';
import { Field, FormColumn, KeyValueList, Link, Sheet, TextInput } from '@portal/ui';
import type { Editing } from './contact-editing.ts';

/** Name, telephone and position, to change or to read. */
export function ContactDetails({ contact, form, set, open, problems }: Editing & { contact: Contact }) {
  if (!open.details)
    return (
      <Sheet title="Details">
        <KeyValueList
          align="left"
          items={[
            { key: 'E-mail', value: contact.email },
            { key: 'Telephone', value: contact.phone || <span className="quiet">none</span> },
            { key: 'Position', value: contact.position || <span className="quiet">none</span> },
          ]}
        />
      </Sheet>
    );
  return (
    <Sheet title="Details">
      <FormColumn>
        <Field label="Full name" id="contact-fullName" error={problems.fullName}>
          <TextInput value={form.fullName} maxLength={200} autoComplete="off" onChange={event => set({ fullName: event.target.value })} />
        </Field>
        <Field label="Telephone" id="contact-phone" error={problems.phone} optional>
          <TextInput
            value={form.phone}
            maxLength={40}
            type="tel"
            autoComplete="off"
            onChange={event => set({ phone: event.target.value })}
          />
        </Field>
        <Field label="Position" id="contact-position" optional>
          <TextInput value={form.position} maxLength={100} autoComplete="off" onChange={event => set({ position: event.target.value })} />
        </Field>
        <p className="small muted">
          Mail goes to <span className="strong">{contact.email}</span>.{' '}
          {contact.isMe ? (
            <>
              Another address is set <Link href="/account">at your login</Link>.
            </>
          ) : (
            'Somebody with another address is invited anew.'
          )}
        </p>
      </FormColumn>
    </Sheet>
  );
}
