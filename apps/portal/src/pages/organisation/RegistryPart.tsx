import { canMove } from '@portal/contract/life';
import { organisationChangeLife } from '@portal/contract/organisations/life';
import { fileKindsInWords } from '@portal/contract/file-kinds';
import { useAccount, useAddress, useChange, useDraft, useKit, useRefusal } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { Form, FormProblems } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { DocumentList } from '@portal/app-kit/documents/DocumentList';
import { UploadField } from '@portal/app-kit/documents/UploadField';
import { useUploads } from '@portal/app-kit/documents/uploads';
import { shownErrors } from '@portal/contract';
import { documents } from '@portal/contract/documents/documents';
import {
  type OrganisationChange,
  organisationChanges,
  organisationTypes,
  type RegistryField,
  registryFields,
} from '@portal/contract/organisations/changes';
import { type Organisation, organisations } from '@portal/contract/organisations/organisations';
import { Button, ButtonRow, DateText, Field, Select, Sheet, Stack, StateMark, TextArea, TextInput } from '@portal/ui';
import { Quote } from '@portal/ui/text/Quote';
import styles from './OrganisationPage.module.css';
import { changeStates, economyWords, valueWords } from '@portal/app-kit/words/organisation-words';

const fields = Object.keys(registryFields) as RegistryField[];
const refresh = [organisations.getOrganisation, organisationChanges.listOrganisationChanges];
const registered = (organisation: Organisation, field: RegistryField): string => organisation[field] ?? '';

/** Values that only the registry changes, each with its request, and the form for one. */
export function RegistryPart({ organisation }: { organisation: Organisation }) {
  const { accountName, asStaff } = useAccount();
  return (
    <Sheet title="Verified by the registry" meta="needs the registry’s approval" flush>
      <dl className={styles.facts}>
        {fields.map(field => (
          <RegistryFact key={`${accountName} ${field}`} field={field} organisation={organisation} />
        ))}
        <div className={styles.fact}>
          <dt>Economy</dt>
          <dd>
            {economyWords(organisation.economy)}
            {!asStaff && <span className="quiet"> Only registry staff can change it.</span>}
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
            aria-label={`Request a change: ${label.toLowerCase()}`}
            onClick={() => address.set({ edit: field })}
          >
            Request a change
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
  return registryFields[field].corporate && !contactTypes.includes('corporate') ? { reason: shownErrors.CORPORATE_ONLY.message } : null;
}

function AskForm({ field, present, onClose }: { field: RegistryField; present: string; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const initial = { value: field === 'organisationType' ? present : '', reason: '' };
  const draft = useDraft(`organisation:${account}:${field}`, initial);
  const uploads = useUploads();
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
      notify({ kind: 'info', text: `Sent to the registry (${reference}). The current value stays until it decides.` });
      close();
    },
  });
  const form = useForm(organisationChanges.requestOrganisationChange.body, initial, {
    name: `organisation-${field}`,
    draft,
    also: ['documentIds'],
    toBody: values => ({ ...values, field, documentIds: [...uploads.documentIds] }),
    check: ({ value }) => ({
      value: value.trim() === present && present !== '' ? 'This is already registered' : undefined,
      documentIds: uploads.problem ?? (evidence !== null && uploads.documentIds.length === 0 ? 'Add at least one file' : undefined),
    }),
    fieldOfCode: { DOCUMENT_MISSING: 'documentIds' },
    change: ask,
    send: body => ask.mutate({ account, body }),
  });
  return (
    <ActForm form={form} label={`Ask to change ${label.toLowerCase()}`} act="Ask the registry" onClose={close}>
      <Field label={`New ${label.toLowerCase()}`} {...form.field('value')}>
        {field === 'organisationType' ? (
          <Select
            value={form.values.value}
            options={[
              ...(present === '' ? [{ value: '', label: 'Choose' }] : []),
              ...organisationTypes.map(type => ({ value: type, label: valueWords(field, type) })),
            ]}
            onChange={event => form.set({ value: event.target.value })}
          />
        ) : (
          <TextInput {...form.input('value')} maxLength={field === 'orgName' ? 255 : 40} />
        )}
      </Field>
      <Field label="Reason" optional help="Such as a board resolution or a merger." {...form.field('reason')}>
        <TextArea rows={2} {...form.input('reason')} />
      </Field>
      {evidence !== null && (
        <UploadField
          label="Supporting documents"
          uploads={uploads}
          help={`${evidence.charAt(0).toUpperCase()}${evidence.slice(1)}. ${fileKindsInWords}, at most 10 MB each.`}
          {...form.field('documentIds')}
        />
      )}
    </ActForm>
  );
}

function Pending({ change }: { change: OrganisationChange }) {
  const { accountName: account, asStaff } = useAccount();
  const { notify } = useKit();
  const refusal = useAskRefusal(change.field);
  const withdraw = useChange(organisationChanges.withdrawOrganisationChange, {
    refresh,
    onDone: () => notify({ text: `Request ${change.reference} withdrawn.` }),
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
        <DocumentList papers={change.papers} opens={documents.openDocument} inputOf={documentId => ({ account, documentId })} />
      )}
      {change.question && (
        <>
          <p className="small muted">{change.state === 'needs-info' ? 'The registry asks:' : 'The registry asked:'}</p>
          <Quote words={change.question} />
        </>
      )}
      {change.answer && (
        <>
          <p className="small muted">The answer:</p>
          <Quote words={change.answer} />
        </>
      )}
      {canMove(organisationChangeLife.answer, change.state) && !asStaff && <AnswerForm change={change} />}
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
  const answer = useChange(organisationChanges.answerOrganisationChange, {
    refresh,
    showsErrors: true,
    onDone: () => {
      draft.discard();
      notify({ text: 'The registry has your answer.' });
    },
  });
  const form = useForm(
    organisationChanges.answerOrganisationChange.body,
    { answer: '' },
    {
      name: `answer-${change.changeId}`,
      draft: { value: { answer: draft.value }, set: values => draft.set(values.answer), discard: draft.discard },
      also: ['documentIds'],
      toBody: values => ({ ...values, documentIds: [...uploads.documentIds] }),
      ifEmpty: { answer: 'Enter your answer' },
      check: () => ({ documentIds: uploads.problem }),
      change: answer,
      send: body => answer.mutate({ account, changeId: change.changeId, body }),
    },
  );
  return (
    <Form form={form} bare>
      <Stack gap={8}>
        <FormProblems form={form} />
        <Field label="Your answer" {...form.field('answer')}>
          <TextArea rows={2} {...form.input('answer')} />
        </Field>
        <UploadField label="Documents" optional uploads={uploads} {...form.field('documentIds')} />
        <ButtonRow>
          <Button type="submit" size="s" variant="commit" busy={form.busy} refusal={refusal} refusalIn="note">
            Answer
          </Button>
        </ButtonRow>
      </Stack>
    </Form>
  );
}
