import { changedSearch, Page, useAccount, useAddress, useChange, useDraft, useKit, usePlace, WhyNot } from '@portal/app-kit';
import { type Permission, whyNotGrantable } from '@portal/contract';
import { contacts } from '@portal/contract/contacts/contacts';
import {
  Banner,
  Breadcrumb,
  Button,
  ErrorSummary,
  Field,
  FormColumn,
  Grid,
  Icon,
  type IconName,
  Panel,
  Sheet,
  Stack,
  TextArea,
  TextInput,
} from '@portal/ui';
import { type FormEvent, type ReactNode, useMemo, useState } from 'react';
import { useAsking, useWays } from '../contact-acts.ts';
import { decisionsOf, isCorporate, tick, typesInOrder } from '../contact-form.ts';
import { ContactTypesField } from '../ContactTypesField.tsx';
import { ContactsOff } from '../ContactsOff.tsx';
import { contactOf, countWords } from '../contact-words.ts';
import styles from './InvitationPage.module.css';
import {
  emptyInvitation,
  type InvitationField,
  type InvitationForm,
  invitationOf,
  permissionsOf,
  problemsOf,
  refusedFields,
} from './invitation-form.ts';
import { PermissionList } from '../PermissionList.tsx';

/** Somebody new: invited at once, proposed to the registry, or asked of those who can invite. */
export function InvitationPage() {
  const { accountName } = useAccount();
  const { path, search } = usePlace();
  const { invite } = useWays();
  const asks = invite.by === 'asking';
  const title = asks ? 'Ask for a contact' : 'Invite a contact';
  const back = path + changedSearch(search, { invite: null });
  return (
    <Page
      title={title}
      sub={
        asks
          ? `Those who can approve it are asked by e-mail. Once one of them does, the person is invited to ${accountName}.`
          : `The person gets an e-mail with a link, signs in or signs up, and acts for ${accountName} from then on.`
      }
      breadcrumb={<Breadcrumb items={[{ label: 'Account contacts', href: back }, { label: title }]} />}
    >
      {invite.by === 'off' ? (
        <ContactsOff />
      ) : invite.by === 'none' ? (
        <WhyNot refusal={invite.refusal} title="You cannot invite contacts" />
      ) : (
        <Invitation asks={asks} />
      )}
    </Page>
  );
}

const noRole = { contactTypes: [], permissions: [] } as const;

function Invitation({ asks }: { asks: boolean }) {
  const account = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const draft = useDraft<InvitationForm>(`invitation:${account.accountName}`, emptyInvitation);
  const form = draft.value;
  const set = (change: Partial<InvitationForm>) => draft.set({ ...form, ...change });
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [sent, setSent] = useState(0);
  const done = () => {
    draft.discard();
    address.set({ invite: null }, { step: true });
  };
  const ask = useAsking(done);
  const invite = useChange(contacts.inviteContact, {
    refresh: [contacts.listContacts],
    showsErrors: true,
    onProposed: done,
    onDone(contact) {
      notify(
        contact.status === 'PENDING_REGISTRY'
          ? { kind: 'info', text: `The registry was asked. ${contact.fullName} is invited once it has approved.` }
          : { text: `An invitation is on its way to ${contact.email}.` },
      );
      done();
    },
  });
  const change = asks ? ask : invite;
  const refused = useMemo(() => refusedFields(change.error?.errors ?? []), [change.error]);
  const wrong = problemsOf(form);
  const shown = (field: InvitationField) => (sent > 0 || left.has(field) ? wrong[field] : undefined) ?? refused[field];
  const leave = (field: InvitationField) => () => setLeft(new Set([...left, field]));
  // The summary takes the focus when the form was sent, not while it is mended.
  const summary = useMemo(
    () =>
      [...Object.entries(sent > 0 ? problemsOf(form) : {}), ...Object.entries(refused)].flatMap(([field, message]) =>
        field === 'form' ? [] : [{ fieldId: `invitation-${field}`, message }],
      ),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what was wrong when it was sent
    [sent, refused],
  );

  const send = (event: FormEvent) => {
    event.preventDefault();
    if (change.isPending) return;
    setSent(sent + 1);
    if (Object.keys(wrong).length > 0) return;
    const { accountName } = account;
    if (!asks) return invite.mutate({ account: accountName, body: invitationOf(form) });
    ask.mutate({
      account: accountName,
      body: {
        kind: 'ADD_CONTACT',
        fullName: form.fullName.trim(),
        email: form.email.trim(),
        contactTypes: typesInOrder(form.contactTypes),
        reason: form.reason.trim(),
      },
    });
  };

  const corporate = isCorporate(form);
  const permissions = permissionsOf(form);
  const mayTick = !asks && !corporate && account.permissions.includes('users-privileges-update');
  const whyNot = (permission: Permission) =>
    whyNotGrantable(permission, { contactTypes: form.contactTypes, accountType: account.accountType }) ??
    (account.permissions.includes(permission) ? null : 'you do not hold it yourself');
  const text = (field: 'fullName' | 'email' | 'emailAgain' | 'phone' | 'position') => ({
    value: form[field],
    onChange: (event: { target: { value: string } }) => set({ [field]: event.target.value }),
    ...(field !== 'position' && { onBlur: leave(field) }),
  });

  return (
    <form onSubmit={send} noValidate>
      <Grid columns="split-wide">
        <Stack gap={16}>
          {draft.restored && sent === 0 && JSON.stringify(form) !== JSON.stringify(emptyInvitation) && (
            <Banner kind="info" title="What you had not sent is here again." onDismiss={draft.discard}>
              Dismissing this empties the form.
            </Banner>
          )}
          <ErrorSummary errors={summary} />
          {refused.form && (
            <Banner kind="error" traceId={change.error?.errors[0]?.traceId}>
              {refused.form}
            </Banner>
          )}
          <Sheet title="Who it is">
            <FormColumn>
              <Field label="Full name" id="invitation-fullName" error={shown('fullName')}>
                <TextInput {...text('fullName')} maxLength={200} autoComplete="off" />
              </Field>
              <Field
                label="E-mail"
                id="invitation-email"
                error={shown('email')}
                help="The invitation goes there. It should be this person’s own."
              >
                <TextInput {...text('email')} type="email" maxLength={254} autoComplete="off" spellCheck={false} />
              </Field>
              <Field label="E-mail again" id="invitation-emailAgain" error={shown('emailAgain')}>
                <TextInput {...text('emailAgain')} type="email" maxLength={254} autoComplete="off" spellCheck={false} />
              </Field>
              {!asks && (
                <>
                  <Field label="Telephone" id="invitation-phone" error={shown('phone')} optional>
                    <TextInput {...text('phone')} type="tel" maxLength={40} autoComplete="off" />
                  </Field>
                  <Field label="Position" optional>
                    <TextInput {...text('position')} maxLength={100} autoComplete="off" />
                  </Field>
                </>
              )}
            </FormColumn>
          </Sheet>
          <Sheet title="What kind of contact">
            <FormColumn>
              <ContactTypesField
                id="invitation-contactTypes"
                legend="This person is to be"
                value={form.contactTypes}
                error={shown('contactTypes')}
                refused={asks || isCorporate(account) ? {} : { corporate: 'Only a corporate contact asks the registry for another one' }}
                onChange={contactTypes => set({ contactTypes, ticked: {} })}
              />
              {(corporate || asks) && (
                <Field label={asks ? 'Reason' : 'Reason, for the registry'} optional>
                  <TextArea rows={3} maxLength={500} value={form.reason} onChange={event => set({ reason: event.target.value })} />
                </Field>
              )}
            </FormColumn>
          </Sheet>
          {form.contactTypes.length > 0 && (
            <Sheet
              title="What they may do"
              id="invitation-permissions"
              tabIndex={-1}
              flush
              meta={
                shown('permissions') ? (
                  <span className={styles.problem}>{shown('permissions')}</span>
                ) : (
                  <span>{permissions.length} permissions to start with</span>
                )
              }
            >
              <PermissionList
                held={permissions}
                contactTypes={form.contactTypes}
                onTick={
                  mayTick
                    ? (permission, on) => set({ ticked: tick(noRole, { ...form, keepsDecisions: false }, permission, on) })
                    : undefined
                }
                whyNot={whyNot}
              />
            </Sheet>
          )}
        </Stack>
        <Panel
          title="What happens"
          className={styles.beside}
          footer={
            <>
              <Button type="submit" variant={corporate || asks ? 'commit' : 'primary'} icon="mail" busy={change.isPending}>
                {asks ? 'Ask for it' : corporate ? 'Ask the registry' : 'Send the invitation'}
              </Button>
              <Button variant="quiet" onClick={() => address.set({ invite: null }, { step: true })}>
                Not now
              </Button>
            </>
          }
        >
          <ol className={styles.steps}>
            <WhatHappens form={form} asks={asks} permissions={permissions} />
          </ol>
        </Panel>
      </Grid>
    </form>
  );
}

/** In which order things happen once the form is sent, with the names that were typed. */
function WhatHappens({ form, asks, permissions }: { form: InvitationForm; asks: boolean; permissions: readonly Permission[] }) {
  const { accountName } = useAccount();
  const name = form.fullName.trim() || 'The person';
  const { granted, withdrawn } = decisionsOf({ contactTypes: form.contactTypes, permissions });
  const byHand = form.contactTypes.length > 0 ? granted.length + withdrawn.length : 0;
  return (
    <>
      {asks && <Step icon="inbox">Those who can approve it find your request and get an e-mail.</Step>}
      {isCorporate(form) && (
        <Step icon="building">The registry decides: a corporate contact speaks for the member. Nothing is sent before.</Step>
      )}
      <Step icon="mail">{form.email.trim() || 'The address you give'} gets a link that is open for seven days.</Step>
      <Step icon="user">
        {name} accepts with a login of their own and becomes{' '}
        {form.contactTypes.length > 0 ? contactOf(typesInOrder(form.contactTypes)) : 'contact'} of <span className="nw">{accountName}</span>
        {form.contactTypes.length > 0 && <>, with {countWords(permissions.length, 'permission', 'permissions')}</>}
        {byHand > 0 && <> ({byHand} decided by hand)</>}.
      </Step>
      <Step icon="contacts">All corporate contacts are told by e-mail.</Step>
    </>
  );
}

const Step = ({ icon, children }: { icon: IconName; children: ReactNode }) => (
  <li className={styles.step}>
    <Icon name={icon} />
    <span>{children}</span>
  </li>
);
