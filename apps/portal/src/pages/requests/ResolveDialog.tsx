import { reading, useAccount, useChange, useKit } from '@portal/app-kit';
import { type Permission, permissionDiff, whyNotGrantable } from '@portal/contract';
import { type AccessRequest, accessRequests } from '@portal/contract/contacts/access-requests';
import { contacts } from '@portal/contract/contacts/contacts';
import { Banner, Button, ButtonRow, DateText, Field, Segmented, Stack, TextArea } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { everybodyOf } from '../contacts/contact-acts.ts';
import { isCorporate } from '../contacts/contact-form.ts';
import { ContactChanges } from '../contacts/editor/ContactChanges.tsx';
import { ContactTypesField } from '../contacts/ContactTypesField.tsx';
import { PermissionList } from '../contacts/PermissionList.tsx';
import { RequestOutcome } from './RequestOutcome.tsx';
import { requestWords } from './request-words.ts';
import styles from './ResolveDialog.module.css';
import { approvalOf, approvalProblem, goesToRegistry, granted, offered, type ResolutionForm, resolutionForm } from './resolution.ts';

/** One request, and the two answers there are: approve it, as asked or narrowed, or reject it and say why. */
export function ResolveDialog({ request, onClose }: { request: AccessRequest; onClose: () => void }) {
  const { accountName } = useAccount();
  const answers = useQueryClient();
  const { notify } = useKit();
  const resolve = useChange(accessRequests.resolveAccessRequest, {
    refresh: [accessRequests.listAccessRequests, accessRequests.listResolvedRequests, contacts.listContacts],
    showsErrors: true,
    onProposed: onClose,
    onDone(row) {
      const registry = row.status === 'APPROVED' && goesToRegistry(request, { contactTypes: row.grantedContactTypes ?? [] });
      notify({
        text: `${row.status === 'APPROVED' ? 'Approved' : 'Rejected'}. ${row.requester.name} gets an e-mail.${registry ? ' The registry decides the rest.' : ''}`,
      });
      onClose();
    },
  });
  const elsewhere = resolve.error?.code === 'ALREADY_RESOLVED' ? (resolve.error.current as AccessRequest | undefined) : undefined;
  const settled = elsewhere ?? (request.status === 'PENDING' ? undefined : request);
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
            {elsewhere && <p className="strong">Somebody else was quicker. This is how it ended:</p>}
            <RequestOutcome request={settled} />
            <ButtonRow>
              <Button onClick={close}>Close</Button>
            </ButtonRow>
          </div>
        ) : request.isMine ? (
          <Banner kind="info">You asked for it yourself: somebody else resolves it.</Banner>
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
        {request.status === 'PENDING' && (
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
      {!emailVerified && request.status === 'PENDING' && (
        <Banner kind="warning" title="This e-mail address is not verified.">
          Make sure in another way that it is {name} who asks.
        </Banner>
      )}
    </div>
  );
}

type Resolve = ReturnType<typeof useChange<typeof accessRequests.resolveAccessRequest>>;

function Answer({ request, resolve, onClose }: { request: AccessRequest; resolve: Resolve; onClose: () => void }) {
  const account = useAccount();
  const [decision, setDecision] = useState<'APPROVED' | 'REJECTED'>('APPROVED');
  const [form, setForm] = useState<ResolutionForm>(() => resolutionForm(request));
  const [sent, setSent] = useState(false);
  const noteId = useId();
  const set = (change: Partial<ResolutionForm>) => setForm({ ...form, ...change });
  const present = usePresent(request);
  const whyNot = (permission: Permission): string | null =>
    whyNotGrantable(permission, {
      contactTypes: request.kind === 'PERMISSION' ? (request.subject?.contactTypes ?? []) : form.contactTypes,
      accountType: account.accountType,
    }) ?? (account.permissions.includes(permission) || present?.permissions?.includes(permission) ? null : 'you do not hold it yourself');
  const problem = approvalProblem(request, form, whyNot);
  const noReason = decision === 'REJECTED' && form.note.trim() === '';
  const registry = decision === 'APPROVED' && goesToRegistry(request, form);

  const send = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (resolve.isPending) return;
    if (noReason) return document.getElementById(noteId)?.focus();
    if (decision === 'APPROVED' && problem) return;
    const body =
      decision === 'APPROVED' ? approvalOf(request, form, whyNot) : { requestId: request.requestId, decision, note: form.note.trim() };
    resolve.mutate({ account: account.accountName, body });
  };
  return (
    <form onSubmit={send} noValidate>
      <Stack gap={16}>
        <Segmented
          label="Decision"
          value={decision}
          options={[
            { value: 'APPROVED', label: 'Approve' },
            { value: 'REJECTED', label: 'Reject' },
          ]}
          onChange={setDecision}
        />
        {decision === 'APPROVED' && (
          <Approval request={request} form={form} set={set} whyNot={whyNot} present={present} problem={sent ? problem : null} />
        )}
        {registry && (
          <Banner kind="pending" title="The registry has the last word.">
            Who speaks for the member as corporate contact changes only once it has approved.
          </Banner>
        )}
        <Field
          id={noteId}
          label={decision === 'REJECTED' ? 'Reason' : 'Words to the person who asked'}
          optional={decision === 'APPROVED'}
          error={sent && noReason ? 'Say why it is rejected' : undefined}
        >
          <TextArea rows={2} maxLength={500} value={form.note} onChange={event => set({ note: event.target.value })} />
        </Field>
        {resolve.error && resolve.error.code !== 'ALREADY_RESOLVED' && (
          <Banner kind="error" traceId={resolve.error.errors[0]?.traceId}>
            {resolve.error.message}
          </Banner>
        )}
        <ButtonRow>
          <Button type="submit" variant={decision === 'APPROVED' ? 'commit' : 'danger'} busy={resolve.isPending}>
            {decision === 'APPROVED' ? 'Approve' : 'Reject'}
          </Button>
          <Button variant="quiet" onClick={onClose}>
            Not now
          </Button>
        </ButtonRow>
      </Stack>
    </form>
  );
}

/** The contact a request is about, as it is now, where the approver may see contacts. */
function usePresent(request: AccessRequest) {
  const { call } = useKit();
  const { accountName, permissions } = useAccount();
  const { data } = useQuery({
    ...reading(call, contacts.listContacts, everybodyOf(accountName)),
    enabled: request.kind === 'CHANGE_ROLE' && permissions.includes('contacts-details-view'),
  });
  return data?.rows.find(contact => contact.contactId === request.subject?.contactId);
}

type ApprovalProps = {
  request: AccessRequest;
  form: ResolutionForm;
  set: (change: Partial<ResolutionForm>) => void;
  whyNot: (permission: Permission) => string | null;
  present: ReturnType<typeof usePresent>;
  problem: string | null;
};

/** What an approval gives, to be narrowed. */
function Approval({ request, form, set, whyNot, present, problem }: ApprovalProps) {
  const account = useAccount();
  if (request.kind === 'REMOVE_CONTACT')
    return (
      <p>
        {request.subject?.name} is no contact of {account.accountName} any more, and all their permissions in it end at once.
      </p>
    );
  const gives = granted(request, form, whyNot);
  const choosesTypes = request.kind !== 'PERMISSION';
  const corporate = isCorporate(form);
  const before = present?.permissions ?? null;
  const noTypes = choosesTypes && form.contactTypes.length === 0;
  return (
    <Stack gap={12}>
      {choosesTypes && (
        <ContactTypesField
          id="resolution-types"
          legend={request.kind === 'LINK' ? 'The person becomes' : 'Asked for; less can be approved'}
          only={request.kind === 'LINK' ? undefined : request.contactTypes}
          value={form.contactTypes}
          error={noTypes && problem ? problem : undefined}
          refused={isCorporate(account) ? {} : { corporate: 'Only a corporate contact asks the registry for another one' }}
          onChange={contactTypes => set({ contactTypes, left: [] })}
        />
      )}
      {!noTypes && problem && (
        <p role="alert" className={styles.problem}>
          {problem}
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
      {corporate && <p>A corporate contact holds every permission.</p>}
      {!noTypes && !corporate && (
        <section aria-label="Permissions" className={styles.permissions}>
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
