import { useAccount, useAddress, useChange, useDraft, useKit, useRefusal } from '@portal/app-kit';
import { PaperList } from '@portal/app-kit/documents/PaperList';
import { UploadField } from '@portal/app-kit/documents/UploadField';
import { useUploads } from '@portal/app-kit/documents/uploads';
import { requestErrors } from '@portal/contract';
import { documents } from '@portal/contract/documents/documents';
import {
  type OrganisationChange,
  organisationChanges,
  organisationTypes,
  problemOfWanted,
  type RegistryField,
  registryFields,
} from '@portal/contract/organisations/changes';
import { type Organisation, organisations } from '@portal/contract/organisations/organisations';
import { Banner, Button, ButtonRow, DateText, Field, FormColumn, Select, Sheet, Stack, StateMark, TextArea, TextInput } from '@portal/ui';
import { type FormEvent, useState } from 'react';
import styles from './OrganisationPage.module.css';
import { changeStates, economyWords, valueWords } from '@portal/app-kit/words/organisation-words';

const fields = Object.keys(registryFields) as RegistryField[];
const refresh = [organisations.getOrganisation, organisationChanges.listOrganisationChanges];
const registered = (organisation: Organisation, field: RegistryField): string => organisation[field] ?? '';

/** What is in the registry's own hands, each with what was asked for beside it, and the way to ask. */
export function RegistryPart({ organisation }: { organisation: Organisation }) {
  const { accountName, asStaff } = useAccount();
  return (
    <Sheet title="Kept by the registry" meta="changes when the registry has approved it" flush>
      <dl className={styles.facts}>
        {fields.map(field => (
          <RegistryFact key={`${accountName} ${field}`} field={field} organisation={organisation} />
        ))}
        <div className={styles.fact}>
          <dt>Economy</dt>
          <dd>
            {economyWords(organisation.economy)}
            {!asStaff && <span className="quiet"> Changed by registry staff only.</span>}
          </dd>
        </div>
        <div className={styles.fact}>
          <dt>Account</dt>
          <dd>{organisation.accountName}</dd>
        </div>
      </dl>
    </Sheet>
  );
}

function RegistryFact({ field, organisation }: { field: RegistryField; organisation: Organisation }) {
  const address = useAddress();
  const { label } = registryFields[field];
  const refusal = useAskRefusal(field);
  const open = organisation.changes.find(change => change.field === field);
  const asking = address.get('edit') === field && !open && refusal === null;
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>{valueWords(field, registered(organisation, field))}</dd>
      {!open && !asking && (
        <dd className={styles.act}>
          <Button
            size="s"
            refusal={refusal}
            refusalIn="note"
            aria-label={`Ask for a change of ${label.toLowerCase()}`}
            onClick={() => address.set({ edit: field })}
          >
            Ask for a change
          </Button>
        </dd>
      )}
      {open && (
        <dd className={styles.wide}>
          <Pending change={open} />
        </dd>
      )}
      {asking && (
        <dd className={styles.wide}>
          <AskForm field={field} present={registered(organisation, field)} onClose={() => address.set({ edit: null })} />
        </dd>
      )}
    </div>
  );
}

/** Why the person may not ask about a field; the legal name is for corporate contacts. */
function useAskRefusal(field: RegistryField) {
  const { contactTypes } = useAccount();
  const refusal = useRefusal(organisationChanges.requestOrganisationChange);
  if (refusal) return refusal;
  return registryFields[field].corporate && !contactTypes.includes('corporate') ? { reason: requestErrors.CORPORATE_ONLY.message } : null;
}

function AskForm({ field, present, onClose }: { field: RegistryField; present: string; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const draft = useDraft(`organisation:${account}:${field}`, { value: field === 'organisationType' ? present : '', reason: '' });
  const { value, reason } = draft.value;
  const uploads = useUploads();
  const [problem, setProblem] = useState<string | null>(null);
  const [paperProblem, setPaperProblem] = useState<string | null>(null);
  const { label, evidence } = registryFields[field];
  const close = () => {
    draft.discard();
    onClose();
  };
  const ask = useChange(organisationChanges.requestOrganisationChange, {
    refresh,
    showsErrors: true,
    onProposed: close,
    onDone: ({ reference }) => {
      notify({ kind: 'info', text: `The registry was asked (${reference}). Until it decides, the present value stays.` });
      close();
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    const wrong = value.trim() === present ? 'This is what is registered already' : problemOfWanted(field, value.trim());
    const lacking = uploads.sending
      ? 'Wait until the files have been sent'
      : evidence !== null && uploads.documentIds.length === 0
        ? 'Add at least one file'
        : null;
    setProblem(wrong);
    setPaperProblem(lacking);
    if (wrong !== null || lacking !== null) return;
    ask.mutate({ account, body: { field, value: value.trim(), reason: reason.trim(), documentIds: [...uploads.documentIds] } });
  };
  const set = (change: Partial<typeof draft.value>) => {
    setProblem(null);
    draft.set({ value, reason, ...change });
  };
  return (
    <form onSubmit={send} noValidate aria-label={`Ask for a change of ${label.toLowerCase()}`}>
      <FormColumn>
        {ask.error && (
          <Banner kind="error" traceId={ask.error.errors[0]?.traceId}>
            {ask.error.message}
          </Banner>
        )}
        <Field label={`${label}, as it is to be`} error={problem}>
          {field === 'organisationType' ? (
            <Select
              value={value}
              options={[
                ...(present === '' ? [{ value: '', label: 'Choose' }] : []),
                ...organisationTypes.map(type => ({ value: type, label: valueWords(field, type) })),
              ]}
              onChange={event => set({ value: event.target.value })}
            />
          ) : (
            <TextInput
              value={value}
              maxLength={field === 'orgName' ? 255 : 40}
              autoComplete="off"
              onChange={event => set({ value: event.target.value })}
            />
          )}
        </Field>
        <Field label="Reason" optional help="Such as a decision of the board, or a merger.">
          <TextArea rows={2} maxLength={500} value={reason} onChange={event => set({ reason: event.target.value })} />
        </Field>
        {evidence !== null && (
          <UploadField
            label="Papers that prove it"
            uploads={uploads}
            error={paperProblem && uploads.documentIds.length === 0 ? paperProblem : undefined}
            help={`${evidence.charAt(0).toUpperCase()}${evidence.slice(1)}. PDF, PNG, JPEG or Word (.docx), at most 10 MB each.`}
          />
        )}
        <ButtonRow>
          <Button type="submit" variant="commit" busy={ask.isPending}>
            Ask the registry
          </Button>
          <Button onClick={close}>Cancel</Button>
        </ButtonRow>
      </FormColumn>
    </form>
  );
}

function Pending({ change }: { change: OrganisationChange }) {
  const { accountName: account, asStaff } = useAccount();
  const { notify } = useKit();
  const refusal = useAskRefusal(change.field);
  const withdraw = useChange(organisationChanges.withdrawOrganisationChange, {
    refresh,
    onDone: () => notify({ text: `The request ${change.reference} was withdrawn.` }),
  });
  const { state, words } = changeStates[change.state];
  return (
    <div className={styles.pending}>
      <div>
        <span className="quiet">Asked for: </span>
        <span className={styles.wanted}>{valueWords(change.field, change.wantedValue)}</span> <StateMark state={state}>{words}</StateMark>
      </div>
      <p className="small muted">
        {change.reference}, {change.requestedBy} on <DateText value={change.requestedAt} shape="date" />.
      </p>
      {change.papers.length > 0 && (
        <PaperList papers={change.papers} opens={documents.openDocument} inputOf={documentId => ({ account, documentId })} />
      )}
      {change.question && (
        <>
          <p className="small muted">{change.state === 'INFO_REQUESTED' ? 'The registry asks:' : 'The registry asked:'}</p>
          <blockquote className={styles.quote}>{change.question}</blockquote>
        </>
      )}
      {change.answer && (
        <>
          <p className="small muted">The answer:</p>
          <blockquote className={styles.quote}>{change.answer}</blockquote>
        </>
      )}
      {change.state === 'INFO_REQUESTED' && !asStaff && <AnswerForm change={change} />}
      {!asStaff && (
        <ButtonRow>
          <Button
            size="s"
            busy={withdraw.isPending}
            refusal={refusal}
            refusalIn="note"
            aria-label={`Withdraw ${change.reference}`}
            onClick={() => withdraw.mutate({ account, changeId: change.changeId })}
          >
            Withdraw
          </Button>
        </ButtonRow>
      )}
    </div>
  );
}

function AnswerForm({ change }: { change: OrganisationChange }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const refusal = useAskRefusal(change.field);
  const draft = useDraft(`organisation-answer:${change.reference}`, '');
  const uploads = useUploads();
  const [problem, setProblem] = useState<string | null>(null);
  const answer = useChange(organisationChanges.answerOrganisationChange, {
    refresh,
    onDone: () => {
      draft.discard();
      notify({ text: 'The registry has your answer.' });
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (draft.value.trim() === '') setProblem('Write what the registry asked for');
    else if (!uploads.sending)
      answer.mutate({
        account,
        changeId: change.changeId,
        body: { answer: draft.value.trim(), documentIds: [...uploads.documentIds] },
      });
  };
  return (
    <form onSubmit={send} noValidate>
      <Stack gap={8}>
        <Field label="Your answer" error={problem}>
          <TextArea
            rows={2}
            maxLength={1000}
            value={draft.value}
            onChange={event => {
              setProblem(null);
              draft.set(event.target.value);
            }}
          />
        </Field>
        <UploadField label="Papers" optional uploads={uploads} />
        <ButtonRow>
          <Button type="submit" size="s" variant="commit" busy={answer.isPending || uploads.sending} refusal={refusal} refusalIn="note">
            Answer
          </Button>
        </ButtonRow>
      </Stack>
    </form>
  );
}
