import { changedSearch, DraftNote, Page, useAccount, useAddress, useChange, useDraft, useKit, usePlace, WhyNot } from '@portal/app-kit';
import { Form, FormProblems } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { type Permission, whyNotGrantable } from '@portal/contract';
import { accessRequests } from '@portal/contract/contacts/access-requests';
import { contacts } from '@portal/contract/contacts/contacts';
import { Breadcrumb, Button, Field, FormColumn, Grid, Icon, type IconName, Panel, Sheet, Stack, TextArea, TextInput } from '@portal/ui';
import type { ReactNode } from 'react';
import { ContactManagementOff } from '../ContactManagementOff.tsx';
import { ContactTypesField } from '../ContactTypesField.tsx';
import { useContactRequest, useEditModes } from '../contact-acts.ts';
import { decisionsOf, fieldOfCode, isCorporate, tick, typesInOrder } from '../contact-form.ts';
import { contactOf, countWords } from '../contact-words.ts';
import { PermissionList } from '../PermissionList.tsx';
import styles from './InvitationPage.module.css';
import { emptyInvitation, type InvitationForm, invitationOf, permissionsOf, problemsOfInvitation } from './invitation-form.ts';

/** A new contact: invited directly, proposed to the registry, or requested from those who can invite. */
export function InvitationPage() {
  const { accountName } = useAccount();
  const { path, search } = usePlace();
  const { invite } = useEditModes();
  const asks = invite.by === 'asking';
  const title = asks ? 'Ask for a contact' : 'Invite a contact';
  const back = path + changedSearch(search, { invite: null });
  return (
    <Page
      title={title}
      sub={
        asks
          ? `People who can approve it get an e-mail. Once approved, the person is invited to ${accountName}.`
          : `They get an e-mail with a link, sign in or register, and can then act for ${accountName}.`
      }
      breadcrumb={<Breadcrumb items={[{ label: 'Account contacts', href: back }, { label: title }]} />}
    >
      {invite.by === 'off' ? (
        <ContactManagementOff />
      ) : invite.by === 'none' ? (
        <WhyNot refusal={invite.refusal} title="You can’t invite contacts" />
      ) : (
        <Invitation asks={asks} />
      )}
    </Page>
  );
}

type InvitationValues = ReturnType<typeof useInvitationForm>['form'];

const noRole = { contactTypes: [], permissions: [] } as const;

function Invitation({ asks }: { asks: boolean }) {
  const account = useAccount();
  const { form, draft } = useInvitationForm(asks);
  const { values, set } = form;
  const types = form.field('contactTypes');

  const corporate = isCorporate(values);
  const permissions = permissionsOf(values);
  return (
    <Form form={form} bare>
      <Grid columns="split-wide">
        <Stack gap={16}>
          {!form.wasSent && form.isChanged && <DraftNote draft={draft} onDiscard={form.reset} />}
          <FormProblems form={form} />
          <PersonSheet form={form} asks={asks} />
          <Sheet title="Role">
            <FormColumn>
              <ContactTypesField
                id={types.id}
                legend="Contact types"
                value={values.contactTypes}
                error={types.error}
                refused={asks || isCorporate(account) ? {} : { corporate: 'Only a corporate contact can ask the registry for another one' }}
                onChange={contactTypes => set({ contactTypes, ticked: {} })}
              />
              {(corporate || asks) && (
                <Field label={asks ? 'Reason' : 'Reason for the registry'} optional {...form.field('reason')}>
                  <TextArea rows={3} {...form.input('reason')} />
                </Field>
              )}
            </FormColumn>
          </Sheet>
          {values.contactTypes.length > 0 && <PermissionsSheet form={form} asks={asks} permissions={permissions} corporate={corporate} />}
        </Stack>
        <Beside form={form} asks={asks} permissions={permissions} corporate={corporate} />
      </Grid>
    </Form>
  );
}

/** The steps that follow, and the button that sends the form. */
function Beside({
  form,
  asks,
  permissions,
  corporate,
}: {
  form: InvitationValues;
  asks: boolean;
  permissions: readonly Permission[];
  corporate: boolean;
}) {
  const address = useAddress();
  return (
    <Panel
      title="Next steps"
      className={styles.beside}
      footer={
        <>
          <Button type="submit" variant={corporate || asks ? 'commit' : 'primary'} icon="mail" busy={form.busy}>
            {asks ? 'Send request' : corporate ? 'Ask the registry' : 'Send the invitation'}
          </Button>
          <Button variant="quiet" onClick={() => address.set({ invite: null }, { step: true })}>
            Cancel
          </Button>
        </>
      }
    >
      <ol className={styles.steps}>
        <WhatHappens form={form.values} asks={asks} permissions={permissions} />
      </ol>
    </Panel>
  );
}

function PermissionsSheet({
  form,
  asks,
  permissions,
  corporate,
}: {
  form: InvitationValues;
  asks: boolean;
  permissions: readonly Permission[];
  corporate: boolean;
}) {
  const account = useAccount();
  const { values, set } = form;
  const refusedPermissions = form.field('permissions');
  const mayTick = !asks && !corporate && account.permissions.includes('users-privileges-update');
  const whyNot = (permission: Permission) =>
    whyNotGrantable(permission, { contactTypes: values.contactTypes, accountType: account.accountType }) ??
    (account.permissions.includes(permission) ? null : 'you don’t have it yourself');
  return (
    <Sheet
      title="Permissions"
      id={refusedPermissions.id}
      tabIndex={-1}
      flush
      meta={
        refusedPermissions.error ? (
          <span className={styles.problem}>{refusedPermissions.error}</span>
        ) : (
          <span>{permissions.length} permissions to start with</span>
        )
      }
    >
      <PermissionList
        held={permissions}
        contactTypes={values.contactTypes}
        onTick={
          mayTick ? (permission, on) => set({ ticked: tick(noRole, { ...values, keepsDecisions: false }, permission, on) }) : undefined
        }
        whyNot={whyNot}
      />
    </Sheet>
  );
}

function PersonSheet({ form, asks }: { form: InvitationValues; asks: boolean }) {
  return (
    <Sheet title="Person">
      <FormColumn>
        <Field label="Full name" {...form.field('fullName')}>
          <TextInput {...form.input('fullName')} />
        </Field>
        <Field label="E-mail" help="The invitation is sent here. Use a personal address." {...form.field('email')}>
          <TextInput {...form.input('email')} type="email" spellCheck={false} />
        </Field>
        <Field label="E-mail again" {...form.field('emailAgain')}>
          <TextInput {...form.input('emailAgain')} type="email" maxLength={254} spellCheck={false} />
        </Field>
        {!asks && (
          <>
            <Field label="Telephone" optional {...form.field('phone')}>
              <TextInput {...form.input('phone')} type="tel" />
            </Field>
            <Field label="Position" optional {...form.field('position')}>
              <TextInput {...form.input('position')} />
            </Field>
          </>
        )}
      </FormColumn>
    </Sheet>
  );
}

function useInvitationForm(asks: boolean) {
  const account = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const draft = useDraft<InvitationForm>(`invitation:${account.accountName}`, emptyInvitation);
  const done = () => {
    draft.discard();
    address.set({ invite: null }, { step: true });
  };
  const ask = useContactRequest(done);
  const invite = useChange(contacts.inviteContact, {
    refresh: [contacts.listContacts],
    showsErrors: true,
    onProposed: done,
    onDone(contact) {
      notify(
        contact.status === 'pending-registry'
          ? { kind: 'info', text: `Sent to the registry. ${contact.fullName} is invited once it approves.` }
          : { text: `Invitation sent to ${contact.email}.` },
      );
      done();
    },
  });
  const change = asks ? ask : invite;
  const form = useForm(asks ? accessRequests.requestContactChange.body : contacts.inviteContact.body, emptyInvitation, {
    name: 'invitation',
    draft,
    also: ['permissions'],
    toBody: ({ fullName, email, contactTypes, reason, ...rest }) =>
      asks
        ? { kind: 'add-contact', fullName, email, contactTypes: typesInOrder(contactTypes), reason }
        : invitationOf({ fullName, email, contactTypes, reason, ...rest }),
    check: problemsOfInvitation,
    fieldOfCode: { ...fieldOfCode, ALREADY_CONTACT: 'email' },
    change,
    send: body => {
      if ('kind' in body) ask.mutate({ account: account.accountName, body });
      else invite.mutate({ account: account.accountName, body });
    },
  });
  return { form, draft };
}

/** The order of events after the form is sent, with the entered names. */
function WhatHappens({ form, asks, permissions }: { form: InvitationForm; asks: boolean; permissions: readonly Permission[] }) {
  const { accountName } = useAccount();
  const name = form.fullName.trim() || 'The person';
  const { granted, withdrawn } = decisionsOf({ contactTypes: form.contactTypes, permissions });
  const byHand = form.contactTypes.length > 0 ? granted.length + withdrawn.length : 0;
  return (
    <>
      {asks && <Step icon="inbox">People who can approve it get an e-mail.</Step>}
      {isCorporate(form) && (
        <Step icon="building">
          The registry decides, because a corporate contact acts for the member. The invitation is sent after it approves.
        </Step>
      )}
      <Step icon="mail">{form.email.trim() || 'The address you enter'} gets a link that is open for seven days.</Step>
      <Step icon="user">
        {name} accepts with their own login and becomes{' '}
        {form.contactTypes.length > 0 ? contactOf(typesInOrder(form.contactTypes)) : 'contact'} of <span className="nw">{accountName}</span>
        {form.contactTypes.length > 0 && <>, with {countWords(permissions.length, 'permission', 'permissions')}</>}
        {byHand > 0 && <> ({byHand} decided by hand)</>}.
      </Step>
      <Step icon="contacts">All corporate contacts get an e-mail.</Step>
    </>
  );
}

const Step = ({ icon, children }: { icon: IconName; children: ReactNode }) => (
  <li className={styles.step}>
    <Icon name={icon} />
    <span>{children}</span>
  </li>
);
