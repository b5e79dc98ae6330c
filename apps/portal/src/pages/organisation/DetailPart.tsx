import { DraftNote, useAccount, useAddress, useChange, useDraft, useKit, useRefusal } from '@portal/app-kit';
import { Form, FormProblems } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { type DetailField, type Organisation, organisations } from '@portal/contract/organisations/organisations';
import { BeforeAfter } from '@portal/ui/difference/BeforeAfter';
import { Banner, Button, ButtonRow, Field, FormColumn, KeyValueList, Link, Sheet, Stack, TextArea, TextInput } from '@portal/ui';
import { changedFields, differences, type Part, parts, questions, rebased, updateOf, type Values, valuesOf } from './organisation-form.ts';
import styles from './OrganisationPage.module.css';
import { economyWords } from '@portal/app-kit/words/organisation-words';

/** One part of the details that a member maintains: to view, and, while the address says so, to edit. */
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
  const close = () => {
    draft.discard();
    onClose();
  };
  const update = useChange(organisations.updateOrganisation, {
    refresh: [organisations.getOrganisation],
    showsErrors: true,
    onDone: () => {
      notify({ text: `${parts[part].title}: saved. All corporate contacts get an e-mail.` });
      close();
    },
  });
  // The newer one of the page's version and that of a refusal.
  const newer = update.error?.code === 'STALE' ? (update.error.current as Organisation | undefined) : undefined;
  const now = newer && newer.version > organisation.version ? newer : organisation;
  const isStale = now.version > before.version;
  const changed = changedFields(part, before, values);
  const form = useForm(organisations.updateOrganisation.body, valuesOf(part, organisation), {
    name: 'organisation',
    draft: { value: values, set: typed => draft.set({ before, values: typed }), discard: draft.discard },
    // Only changed values are checked, so that an old value does not block a new one.
    toBody: typed => updateOf(part, before, typed),
    shownElsewhere: ['STALE'],
    change: update,
    send: body => {
      if (changed.length > 0 && !isStale) update.mutate({ account, body });
    },
  });
  return (
    <Form form={form} label={parts[part].title} bare onClose={close}>
      <FormColumn>
        {!form.wasSent && <DraftNote draft={draft} changes={changed.length} onDiscard={form.reset} />}
        <FormProblems form={form} />
        {isStale && (
          <Banner
            kind="warning"
            title="Someone else changed the organisation while you were editing."
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
                  Apply my changes
                </Button>
                <Button size="s" onClick={close}>
                  Discard my changes
                </Button>
              </ButtonRow>
            }
          >
            <Theirs part={part} before={before} now={now} />
          </Banner>
        )}
        {parts[part].fields.map(field => {
          const { label, help, type, most, ...rest } = questions[field];
          const control = { ...form.input(field), ...(most !== undefined && { maxLength: most }) };
          return (
            <Field key={field} label={label} help={help} optional={!('needed' in rest)} {...form.field(field)}>
              {type === 'lines' ? (
                <TextArea {...control} rows={field === 'billingAddress' ? 5 : 3} />
              ) : (
                <TextInput {...control} type={type ?? 'text'} />
              )}
            </Field>
          );
        })}
        <ButtonRow>
          <Button
            type="submit"
            variant="commit"
            busy={form.busy}
            refusal={
              changed.length === 0 ? { reason: 'No changes to save' } : isStale ? { reason: 'Review the other changes first' } : null
            }
            refusalIn="note"
          >
            Save
          </Button>
          <Button onClick={close}>Cancel</Button>
        </ButtonRow>
      </FormColumn>
    </Form>
  );
}

function Theirs({ part, before, now }: { part: Part; before: Organisation; now: Organisation }) {
  const theirs = differences(part, before, valuesOf(part, now));
  if (theirs.length === 0) return <>Nothing in this section. You can save your changes.</>;
  return (
    <Stack gap={8}>
      {theirs.map(each => (
        <BeforeAfter key={each.label} {...each} />
      ))}
    </Stack>
  );
}
