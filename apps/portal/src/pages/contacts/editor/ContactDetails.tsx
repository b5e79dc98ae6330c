import type { Contact } from '@portal/contract/contacts/contacts';
import { Field, FormColumn, KeyValueList, Link, Sheet, TextInput } from '@portal/ui';
import type { Editing } from './contact-editing.ts';

/** Name, telephone and position, to change or to view. */
export function ContactDetails({ contact, form, open }: Editing & { contact: Contact }) {
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
        <Field label="Full name" {...form.field('fullName')}>
          <TextInput {...form.input('fullName')} />
        </Field>
        <Field label="Telephone" optional {...form.field('phone')}>
          <TextInput type="tel" {...form.input('phone')} />
        </Field>
        <Field label="Position" optional {...form.field('position')}>
          <TextInput {...form.input('position')} />
        </Field>
        <p className="small muted">
          Mail goes to <span className="strong">{contact.email}</span>.{' '}
          {contact.isMe ? (
            <>
              Change it in <Link href="/account">Your login</Link>.
            </>
          ) : (
            'To use another address, send a new invitation.'
          )}
        </p>
      </FormColumn>
    </Sheet>
  );
}
