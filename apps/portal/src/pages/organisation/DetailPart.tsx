import { useAccount, useAddress, useChange, useDraft, useKit, useRefusal } from '@portal/app-kit';
import { type DetailField, type Organisation, organisations } from '@portal/contract/organisations/organisations';
import {
  BeforeAfter,
  Banner,
  Button,
  ButtonRow,
  ErrorSummary,
  Field,
  FormColumn,
  KeyValueList,
  Link,
  Sheet,
  Stack,
  TextArea,
  TextInput,
} from '@portal/ui';
import { type FormEvent, useState } from 'react';
import {
  changedFields,
  differences,
  type Part,
  parts,
  problemOf,
  problemsOf,
  questions,
  rebased,
  refusedFields,
  updateOf,
  type Values,
  valuesOf,
} from './organisation-form.ts';
import styles from './OrganisationPage.module.css';
import { economyWords } from '@portal/app-kit/words/organisation-words';

/** One part of what a member keeps itself: to read, and, while the address says so, to change. */
export function DetailPart({ part, organisation }: { part: Part; organisation: Organisation }) {
  const address = useAddress();
  const refusal = useRefusal(organisations.updateOrganisation);
  const { title, fields } = parts[part];
  const editing = address.get('edit') === part && refusal === null;
  return (
    <Sheet
      title={title}
      actions={
        !editing && (
          <Button
            size="s"
            icon="edit"
            refusal={refusal}
            refusalIn="note"
            aria-label={`Change ${title.toLowerCase()}`}
            onClick={() => address.set({ edit: part })}
          >
            Change
          </Button>
        )
      }
    >
      {editing ? (
        <PartForm part={part} organisation={organisation} onClose={() => address.set({ edit: null })} />
      ) : (
        <KeyValueList
          align="left"
          items={[
            ...fields.map(field => ({ key: questions[field].label, value: <Value field={field} organisation={organisation} /> })),
            ...(part === 'address' ? [{ key: 'Economy', value: economyWords(organisation.economy) }] : []),
          ]}
        />
      )}
    </Sheet>
  );
}

function Value({ field, organisation }: { field: DetailField; organisation: Organisation }) {
  const value = organisation[field];
  if (value.length === 0) return <span className="quiet">{field === 'billingAddress' ? 'the postal address' : 'not recorded'}</span>;
  if (typeof value !== 'string') return <span className={styles.lines}>{value.join('\n')}</span>;
  return field === 'website' ? <Link href={value}>{value}</Link> : value;
}

type Unsaved = { before: Organisation; values: Values };

function PartForm({ part, organisation, onClose }: { part: Part; organisation: Organisation; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const draft = useDraft<Unsaved | null>(`organisation:${account}:${part}`, null);
  const { before, values } = draft.value ?? { before: organisation, values: valuesOf(part, organisation) };
  const [touched, setTouched] = useState<readonly DetailField[]>([]);
  const [sent, setSent] = useState(false);
  const close = () => {
    draft.discard();
    onClose();
  };
  const update = useChange(organisations.updateOrganisation, {
    refresh: [organisations.getOrganisation],
    showsErrors: true,
    onDone: () => {
      notify({ text: `${parts[part].title} is saved. All corporate contacts get an e-mail.` });
      close();
    },
  });
  // Whichever is newer: what the page read, or what a refusal handed over.
  const told = update.error?.code === 'STALE' ? (update.error.current as Organisation | undefined) : undefined;
  const now = told && told.version > organisation.version ? told : organisation;
  const isStale = now.version > before.version;
  const wrong = problemsOf(part, before, values);
  const refused = update.error && update.error.code !== 'STALE' ? refusedFields(update.error.errors) : {};
  const problemAt = (field: DetailField): string | undefined =>
    (sent || touched.includes(field) ? wrong[field] : undefined) ?? refused[field];
  const summary = sent
    ? parts[part].fields.flatMap(field => {
        const message = problemAt(field);
        return message ? [{ fieldId: `organisation-${field}`, message }] : [];
      })
    : [];
  const changed = changedFields(part, before, values);
  const set = (field: DetailField, text: string) => draft.set({ before, values: { ...values, [field]: text } });
  const save = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (changed.length === 0 || isStale || Object.keys(wrong).length > 0) return;
    update.mutate({ account, body: updateOf(part, before, values) });
  };
  return (
    <form onSubmit={save} noValidate aria-label={parts[part].title}>
      <FormColumn>
        {draft.restored && changed.length > 0 && !sent && <Banner kind="info" title="What you had not saved is here again." />}
        <ErrorSummary errors={summary} />
        {refused.form && (
          <Banner kind="error" traceId={update.error?.errors[0]?.traceId}>
            {refused.form}
          </Banner>
        )}
        {isStale && (
          <Banner
            kind="warning"
            title="Somebody else changed the organisation meanwhile."
            actions={
              <ButtonRow>
                <Button
                  size="s"
                  variant="primary"
                  onClick={() => {
                    draft.set({ before: now, values: rebased(part, before, values, now) });
                    update.reset();
                  }}
                >
                  Apply mine to it
                </Button>
                <Button size="s" onClick={close}>
                  Drop mine
                </Button>
              </ButtonRow>
            }
          >
            <Theirs part={part} before={before} now={now} />
          </Banner>
        )}
        {parts[part].fields.map(field => {
          const { label, help, type, most, ...rest } = questions[field];
          const common = {
            value: values[field] ?? '',
            maxLength: most,
            onBlur: () => {
              if (problemOf(field, values[field] ?? '')) setTouched([...touched, field]);
            },
          };
          return (
            <Field
              key={field}
              id={`organisation-${field}`}
              label={label}
              help={help}
              error={problemAt(field)}
              optional={!('needed' in rest)}
            >
              {type === 'lines' ? (
                <TextArea {...common} rows={field === 'billingAddress' ? 5 : 3} onChange={event => set(field, event.target.value)} />
              ) : (
                <TextInput {...common} type={type ?? 'text'} autoComplete="off" onChange={event => set(field, event.target.value)} />
              )}
            </Field>
          );
        })}
        <ButtonRow>
          <Button
            type="submit"
            variant="commit"
            busy={update.isPending}
            refusal={
              changed.length === 0
                ? { reason: 'Nothing differs from what is registered' }
                : isStale
                  ? { reason: 'Look at what somebody else changed first' }
                  : null
            }
            refusalIn="note"
          >
            Save
          </Button>
          <Button onClick={close}>Cancel</Button>
        </ButtonRow>
      </FormColumn>
    </form>
  );
}

function Theirs({ part, before, now }: { part: Part; before: Organisation; now: Organisation }) {
  const theirs = differences(part, before, valuesOf(part, now));
  if (theirs.length === 0) return <>Nothing of this part; yours can be saved on top of it.</>;
  return (
    <Stack gap={8}>
      {theirs.map(each => (
        <BeforeAfter key={each.label} {...each} />
      ))}
    </Stack>
  );
}
