import { reading, useAccount, useChange, useKit } from '@portal/app-kit';
import { Form, FormProblems } from '@portal/app-kit/form/Form';
import { type Form as FormState, useForm } from '@portal/app-kit/form/use-form';
import { type Permission, permissionDiff, whyNotGrantable } from '@portal/contract';
import { type AccessRequest, accessRequests } from '@portal/contract/contacts/access-requests';
import { contacts } from '@portal/contract/contacts/contacts';
import { Banner, Button, ButtonRow, DateText, Field, Segmented, Stack, TextArea } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { allContactsOf } from '../contacts/contact-acts.ts';
import { isCorporate } from '../contacts/contact-form.ts';
import { ContactChanges } from '../contacts/editor/ContactChanges.tsx';
import { ContactTypesField } from '../contacts/ContactTypesField.tsx';
import { PermissionList } from '../contacts/PermissionList.tsx';
import { RequestOutcome } from './RequestOutcome.tsx';
import { requestWords } from './request-words.ts';
import styles from './ResolveDialog.module.css';
import {
  approvalOf,
  approvalProblem,
  goesToRegistry,
  granted,
  offered,
  type ResolutionField,
  type ResolutionForm,
  resolutionForm,
} from './resolution.ts';

/** One request: approve it, fully or reduced, or reject it with a reason. */
export function ResolveDialog({ request, onClose }: { request: AccessRequest; onClose: () => void }) {
  const { accountName } = useAccount();
  const answers = useQueryClient();
  const { notify } = useKit();
  const resolve = useChange(accessRequests.resolveAccessRequest, {
    refresh: [accessRequests.listAccessRequests, accessRequests.listResolvedRequests, contacts.listContacts],
    showsErrors: true,
    onProposed: onClose,
    onDone(row) {
      const registry = row.status === 'approved' && goesToRegistry(request, { contactTypes: row.grantedContactTypes ?? [] });
      notify({
        text: `${row.status === 'approved' ? 'Approved' : 'Rejected'}. ${row.requester.name} gets an e-mail.${registry ? ' The registry decides the rest.' : ''}`,
      });
      onClose();
    },
  });
  const elsewhere = resolve.error?.code === 'ALREADY_RESOLVED' ? (resolve.error.current as AccessRequest | undefined) : undefined;
  const settled = elsewhere ?? (request.status === 'pending' ? undefined : request);
  const close = () => {
    if (elsewhere) void answers.invalidateQueries({ queryKey: [accessRequests.listAccessRequests.id] });
    onClose();
  };
  return (
    <Dialog open onClose={close} title={requestWords(request, accountName)} size="l">
      <Stack gap={16}>
        <About request={request} />
        {settled ? (
          <div role={elsewhere ? 'alert' : undefined} className={styles.settled}>
            {elsewhere && <p className="strong">Someone else already resolved it:</p>}
            <RequestOutcome request={settled} />
            <ButtonRow>
              <Button onClick={close}>Close</Button>
            </ButtonRow>
          </div>
        ) : request.isMine ? (
          <Banner kind="info">This is your own request. Another contact has to resolve it.</Banner>
        ) : (
          <Answer request={request} resolve={resolve} onClose={close} />
        )}
      </Stack>
    </Dialog>
  );
}

function About({ request }: { request: AccessRequest }) {
  const { name, email, emailVerified } = request.requester;
  return (
    <div className={styles.about}>
      <p className="small muted">
        {name}, {email}, <DateText value={request.requestedAt} />
        {request.status === 'pending' && (
          <>
            ; open until <DateText value={request.expiresAt} shape="date" />
          </>
        )}
      </p>
      {request.person && (
        <p className="small muted">
          The person: {request.person.fullName}, {request.person.email}
        </p>
      )}
      {request.reason && <blockquote className={styles.reason}>{request.reason}</blockquote>}
      {!emailVerified && request.status === 'pending' && (
        <Banner kind="warning" title="This e-mail address isn’t verified.">
          Check in another way that the request is from {name}.
        </Banner>
      )}
    </div>
  );
}

type Resolve = ReturnType<typeof useChange<typeof accessRequests.resolveAccessRequest>>;

function Answer({ request, resolve, onClose }: { request: AccessRequest; resolve: Resolve; onClose: () => void }) {
  const account = useAccount();
  const [decision, setDecision] = useState<'approved' | 'rejected'>('approved');
  const present = usePresent(request);
  const whyNotIn =
    ({ contactTypes }: ResolutionForm) =>
    (permission: Permission): string | null =>
      whyNotGrantable(permission, {
        contactTypes: request.kind === 'permission' ? (request.subject?.contactTypes ?? []) : contactTypes,
        accountType: account.accountType,
      }) ?? (account.permissions.includes(permission) || present?.permissions?.includes(permission) ? null : 'you don’t have it yourself');
  const form = useForm(accessRequests.resolveAccessRequest.body, resolutionForm(request), {
    name: 'resolution',
    also: ['permissions'],
    toBody: typed =>
      decision === 'approved' ? approvalOf(request, typed, whyNotIn(typed)) : { requestId: request.requestId, decision, note: typed.note },
    check: typed =>
      decision === 'approved'
        ? approvalProblem(request, typed, whyNotIn(typed))
        : { note: typed.note.trim() === '' ? 'Enter a reason for rejecting it' : undefined },
    shownElsewhere: ['ALREADY_RESOLVED'],
    change: resolve,
    send: body => resolve.mutate({ account: account.accountName, body }),
  });
  const registry = decision === 'approved' && goesToRegistry(request, form.values);
  return (
    <Form form={form} bare>
      <Stack gap={16}>
        <Segmented
          label="Decision"
          value={decision}
          options={[
            { value: 'approved', label: 'Approve' },
            { value: 'rejected', label: 'Reject' },
          ]}
          onChange={setDecision}
        />
        {decision === 'approved' && <Approval request={request} form={form} whyNot={whyNotIn(form.values)} present={present} />}
        {registry && (
          <Banner kind="pending" title="The registry decides.">
            Corporate contacts only change once the registry approves.
          </Banner>
        )}
        <Field
          label={decision === 'rejected' ? 'Reason' : 'Message to the person who asked'}
          optional={decision === 'approved'}
          {...form.field('note')}
        >
          <TextArea rows={2} {...form.input('note')} />
        </Field>
        <FormProblems form={form} />
        <ButtonRow>
          <Button type="submit" variant={decision === 'approved' ? 'commit' : 'danger'} busy={form.busy}>
            {decision === 'approved' ? 'Approve' : 'Reject'}
          </Button>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
        </ButtonRow>
      </Stack>
    </Form>
  );
}

/** The current state of the contact a request is about, if the approver may see contacts. */
function usePresent(request: AccessRequest) {
  const { call } = useKit();
  const { accountName, permissions } = useAccount();
  const { endpoint, input } = allContactsOf(accountName);
  const { data } = useQuery({
    ...reading(call, endpoint, input),
    enabled: request.kind === 'change-role' && permissions.includes('contacts-details-view'),
  });
  return data?.rows.find(contact => contact.contactId === request.subject?.contactId);
}

type ApprovalProps = {
  request: AccessRequest;
  form: FormState<ResolutionForm, ResolutionField>;
  whyNot: (permission: Permission) => string | null;
  present: ReturnType<typeof usePresent>;
};

/** The grants of an approval, which the approver can reduce. */
function Approval({ request, form: { values: form, set, field }, whyNot, present }: ApprovalProps) {
  const account = useAccount();
  const types = field('contactTypes');
  const permissions = field('permissions');
  if (request.kind === 'remove-contact')
    return (
      <p>
        {request.subject?.name} is no longer a contact of {account.accountName}, and all their permissions in it end immediately.
      </p>
    );
  const gives = granted(request, form, whyNot);
  const choosesTypes = request.kind !== 'permission';
  const corporate = isCorporate(form);
  const before = present?.permissions ?? null;
  const noTypes = choosesTypes && form.contactTypes.length === 0;
  return (
    <Stack gap={12}>
      {choosesTypes && (
        <ContactTypesField
          id={types.id}
          legend={request.kind === 'link' ? 'Contact types' : 'Requested permissions; you can approve fewer'}
          only={request.kind === 'link' ? undefined : request.contactTypes}
          value={form.contactTypes}
          error={types.error}
          refused={isCorporate(account) ? {} : { corporate: 'Only a corporate contact can ask the registry for another one' }}
          onChange={contactTypes => set({ contactTypes, left: [] })}
        />
      )}
      {permissions.error && (
        <p role="alert" className={styles.problem}>
          {permissions.error}
        </p>
      )}
      {before && present && request.subject && !noTypes && (
        <div className={styles.preview}>
          <ContactChanges
            diff={{
              details: [],
              contactTypes: { before: present.contactTypes, after: form.contactTypes },
              ...permissionDiff(before, gives),
              maintainers: { granted: [], withdrawn: [] },
            }}
          />
        </div>
      )}
      {corporate && <p>A corporate contact has every permission.</p>}
      {!noTypes && !corporate && (
        <section id={permissions.id} tabIndex={-1} aria-label="Permissions" className={styles.permissions}>
          <PermissionList
            only={offered(request, form)}
            held={gives}
            contactTypes={choosesTypes ? form.contactTypes : []}
            whyNot={whyNot}
            onTick={(permission, on) => set({ left: on ? form.left.filter(key => key !== permission) : [...form.left, permission] })}
          />
        </section>
      )}
    </Stack>
  );
}
